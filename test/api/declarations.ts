import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
const folders = [dist, fileURLToPath(new URL('../../sandbox/dist/', import.meta.url))]

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  strict: true,
  skipLibCheck: false,
}

/** The built declarations, for `import` and for `require`, as a merchant's compiler reads them. */
export interface Declarations {
  readonly checker: ts.TypeChecker
  readonly files: readonly ts.SourceFile[]
  /** What a compiler says of them that checks the declarations of libraries too. */
  readonly complaints: readonly string[]
}

export function readDeclarations(): Declarations {
  const names = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.d\.c?ts$/.test(name))
      .map((name) => folder + name),
  )
  const program = ts.createProgram(names, options)
  const files = names.map((name) => program.getSourceFile(name)).filter((file) => file !== undefined)
  const complaints = files
    .flatMap((file) => program.getSemanticDiagnostics(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
  return { checker: program.getTypeChecker(), files, complaints }
}

/** Every node below the given ones. */
export function* nodesIn(nodes: readonly ts.Node[]): Generator<ts.Node> {
  for (const node of nodes) {
    yield node
    const children: ts.Node[] = []
    ts.forEachChild(node, (child) => {
      children.push(child)
    })
    yield* nodesIn(children)
  }
}

const merchantFile = fileURLToPath(new URL('./merchant.ts', import.meta.url))
let merchantText = ''
let version = 0

/** One for all questions: it parses the libraries once. */
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [merchantFile],
  getScriptVersion: (name) => (name === merchantFile ? String(version) : '0'),
  getScriptSnapshot: (name) => {
    const content = readText(name)
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
  },
  getCurrentDirectory: () => dist,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (name) => name === merchantFile || ts.sys.fileExists(name),
  readFile: readText,
})

function readText(name: string): string | undefined {
  return name === merchantFile ? merchantText : ts.sys.readFile(name)
}

/** What an editor offers at `|` in a merchant's file. */
export function completionsAt(code: string): readonly string[] {
  merchantText = code.replace('|', '')
  version++
  const found = service.getCompletionsAtPosition(merchantFile, code.indexOf('|'), {})
  return found?.entries.map(({ name }) => name) ?? []
}
