import { join } from 'node:path'
import ts from 'typescript'
import { compile, diagnosticsOf, strict } from '../support/compiler.js'
import { root } from '../support/root.js'

/** What the compiler says of programs as if they lay in `docs`, under the project's own strict settings. */
export function complaintsOf(sources: ReadonlyMap<string, string>): string[] {
  const files = new Map([...sources].map(([name, source]) => [join(root, 'docs', name), source]))
  // What a block declares for the next one is not used in it.
  const program = compile(files, { ...strict, allowJs: true, checkJs: true, noUnusedLocals: false })
  return [...files.keys()].flatMap((name) =>
    diagnosticsOf(program, name).map(({ file, start = 0, messageText }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1
      const text = file?.text.split('\n')[line - 1]?.trim()
      return `${name} (${text}): ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    }),
  )
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
