import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const file = fileURLToPath(new URL('./api.ts', import.meta.url))

it('what must not compile does not, and what must compile does', { timeout: 60_000 }, () => {
  const config = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
  const program = ts.createProgram([file], { ...options, noEmit: true })
  const source = program.getSourceFile(file)
  const diagnostics = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
  // An `@ts-expect-error` over a line that does compile is a diagnostic too.
  expect(
    diagnostics.map(({ start = 0, messageText }) => {
      const line = (source?.getLineAndCharacterOfPosition(start).line ?? -1) + 1
      return `${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    }),
  ).toEqual([])
  expect(source?.text.match(/@ts-expect-error/g)?.length).toBeGreaterThan(35)
})
