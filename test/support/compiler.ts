import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { root } from './root.js'

const config = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
/** The project's own settings. */
export const strict = ts.parseJsonConfigFileContent(config.config, ts.sys, root).options

const parsed = new Map<string, ts.SourceFile | undefined>()

/** Compiles some texts as if they were files, others staying as they are on the disk, which are read once. */
export function compile(texts: ReadonlyMap<string, string>, settings: ts.CompilerOptions): ts.Program {
  const host = ts.createCompilerHost(settings)
  const { getSourceFile, fileExists } = host
  // The folders of these texts need not exist.
  host.directoryExists = () => true
  host.fileExists = (name) => texts.has(name) || fileExists(name)
  host.getSourceFile = (name, ...rest) => {
    const text = texts.get(name)
    if (text !== undefined) return ts.createSourceFile(name, text, rest[0])
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, ...rest))
    return parsed.get(name)
  }
  return ts.createProgram([...texts.keys()], settings, host)
}

/** What the compiler says of one file of a program. */
export function diagnosticsOf(program: ts.Program, name: string): readonly ts.Diagnostic[] {
  const source = program.getSourceFile(name)
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
}

/** What an editor asks the compiler of one file, whose text need not be on the disk. */
export function editing(name: string, settings: ts.CompilerOptions) {
  let text = ''
  let version = 0
  const readText = (file: string) => (file === name ? text : ts.sys.readFile(file))
  const service = ts.createLanguageService({
    getCompilationSettings: () => settings,
    getScriptFileNames: () => [name],
    getScriptVersion: (file) => (file === name ? String(version) : '0'),
    getScriptSnapshot: (file) => {
      const content = readText(file)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => fileURLToPath(new URL('.', import.meta.url)),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => file === name || ts.sys.fileExists(file),
    readFile: readText,
  })
  return {
    service,
    write(next: string) {
      text = next
      version++
    },
  }
}
