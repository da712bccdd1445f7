import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSandbox } from '../../sandbox/src/index.js'
import { CallbackReceiver } from '../../src/callbacks/index.js'
import { environmentOf, root, runNode } from '../examples/support.js'
import { blocksOf, linksOf, tableAfter } from '../readme/markdown.js'
import { FakeClient, publicUrl, secret } from './support.js'

const page = readFileSync(join(root, 'docs/callbacks.md'), 'utf8')
const blocks = blocksOf(page)
const programs = blocks.filter(({ language }) => language === 'js')
const whole = ({ setup, code, teardown }: (typeof programs)[number]) => [setup, code, teardown].join('\n')

// Its own callbacks go nowhere: each program calls its receiver itself.
const sandbox = createSandbox({ settleAfterMs: 0, rateLimit: false, deliver: async () => ({ status: 204 }) })
beforeAll(async () => {
  await sandbox.listen()
})
afterAll(() => sandbox.close())

test.each(programs)('the program in line $line runs', { timeout: 30_000 }, async (block) => {
  const env = { ...environmentOf(sandbox), GATEWAY_CALLBACK_SECRET: secret, PORT: '0' }
  const finished = await runNode(['--input-type=module', '-'], { env, input: whole(block) })
  expect(finished).toMatchObject({ code: 0, stderr: '' })
  expect(finished.stdout).toContain('answered 204')
})

test('the programs compile', { timeout: 60_000 }, () => {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
  const files = new Map(programs.map((block) => [join(root, `docs/line-${block.line}.mjs`), whole(block)]))
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.getSourceFile = (name, ...rest) => {
    const text = files.get(name)
    return text === undefined ? getSourceFile(name, ...rest) : ts.createSourceFile(name, text, rest[0])
  }
  const program = ts.createProgram(
    [...files.keys()],
    { ...options, allowJs: true, checkJs: true, noUnusedLocals: false },
    host,
  )
  const diagnostics = [...files.keys()].flatMap((name) => {
    const source = program.getSourceFile(name)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
  })
  const messages = diagnostics.map(
    ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  )
  expect(messages).toEqual([])
})

test('there are no programs in a language that is not run', () => {
  expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual(['js', 'sql'])
  expect(programs.length).toBeGreaterThanOrEqual(7)
})

test('the table of answers names every count but the pending ones', () => {
  const { counts } = new CallbackReceiver({ client: new FakeClient(), publicUrl, secrets: [secret] })
  const named = tableAfter(page, '| answer |').map(([, , counted]) => counted?.replaceAll('`', ''))
  expect([...named, 'pending'].sort()).toEqual(Object.keys(counts).sort())
})

test('every file that is linked exists', () => {
  for (const link of linksOf(page)) expect(() => readFileSync(join(root, 'docs', link)), link).not.toThrow()
})
