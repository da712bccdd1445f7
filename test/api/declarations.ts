import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { editing } from '../support/compiler.js'

export const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
const folders = [dist, fileURLToPath(new URL('../../packages/sandbox/dist/', import.meta.url))]

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
/** One for all questions: it parses the libraries once. */
const editor = editing(merchantFile, options)

/** What an editor offers at `|` in a merchant's file. */
export function completionsAt(code: string): readonly string[] {
  editor.write(code.replace('|', ''))
  const found = editor.service.getCompletionsAtPosition(merchantFile, code.indexOf('|'), {})
  return found?.entries.map(({ name }) => name) ?? []
}
