import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../support/root.js'

/** What the compiler says of programs as if they lay in `docs`, under the project's own strict settings. */
export function complaintsOf(sources: ReadonlyMap<string, string>): string[] {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
  const files = new Map([...sources].map(([name, source]) => [join(root, 'docs', name), source]))
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.getSourceFile = (name, ...rest) => {
    const text = files.get(name)
    return text === undefined ? getSourceFile(name, ...rest) : ts.createSourceFile(name, text, rest[0])
  }
  // What a block declares for the next one is not used in it.
  const settings = { ...options, allowJs: true, checkJs: true, noUnusedLocals: false }
  const program = ts.createProgram([...files.keys()], settings, host)
  return [...files.keys()].flatMap((name) => {
    const source = program.getSourceFile(name)
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    return found.map(({ file, start = 0, messageText }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1
      const text = file?.text.split('\n')[line - 1]?.trim()
      return `${name} (${text}): ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    })
  })
}

/** A program as Node runs it. */
export function asJavaScript(source: string): string {
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      module: 'esnext',
      target: 'es2022',
      verbatimModuleSyntax: true,
      // As in a project of Nest.
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
    root,
  )
  return ts.transpileModule(source, { compilerOptions: options }).outputText
}
