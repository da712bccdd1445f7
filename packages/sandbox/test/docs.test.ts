import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relyingOnNothing } from '../../../test/docs/strict.js'
import { blocksOf, tableAfter } from '../../../test/readme/markdown.js'
import { root } from '../../../test/support/root.js'
import { limiterKinds } from '../src/gateway/engine/limiter.js'
import { normaliseOptions } from '../src/gateway/normalise-options.js'
import { type LimiterKind, magicAmounts } from '../src/index.js'

const read = (file: string) => readFileSync(join(root, 'docs', file), 'utf8')
/** The sandbox in the guides: as a library, its faults, and over HTTP. */
const page = ['sandbox.md', 'faults.md', 'sandbox-api.md'].map(read).join('\n')
const readme = '../packages/sandbox/README.md'
const programs = ['sandbox.md', 'testing-with-vitest.md', 'testing-with-jest.md', readme].flatMap((file) =>
  blocksOf(read(file))
    .filter(({ language }) => language === 'js')
    .map((block) => ({ ...block, file })),
)
/** What a file for Jest finds there; Jest itself is not among what these tests install. */
const asJest = "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\n"
// Inside the repository and outside of node_modules, so that the package is found by its own name; ignored by git.
const folder = join(root, 'coverage', `docs-of-testing-${process.pid}`)

beforeAll(() => {
  mkdirSync(folder, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('docs/sandbox.md, the guides of tests and the README of the package', () => {
  test.each(programs)('the program in line $line of $file runs', async (program) => {
    const { code, file, line } = program
    const isJest = code.includes('require(')
    const isTest = isJest || code.includes("from 'vitest'")
    const name = `${basename(file)}-${line}${isTest ? '.test' : ''}.mjs`
    writeFileSync(join(folder, name), isJest ? asJest + code : relyingOnNothing(code))
    const finished = await (isTest ? runVitest(name) : run([join(folder, name)]))
    expect(finished.code, finished.output).toBe(0)
    const expected = expectedBehind(read(file), code)
    if (expected !== undefined) expect(finished.output.trim()).toBe(expected)
    expect(finished.output).not.toContain('undefined')
    if (!isTest) expect(finished.output).not.toBe('')
    else expect(finished.output).toMatch(/1 passed/)
  })

  test('has no block of a language that is not run', () => {
    expect(new Set(blocksOf(page).map(({ language }) => language))).toEqual(new Set(['js', 'text', 'sh']))
  })

  test('shows a timeline in the form that the expectations print', () => {
    const shown =
      blocksOf(page)
        .find(({ language }) => language === 'text')
        ?.code.split('\n') ?? []
    expect(shown[0]).toMatch(/^2 payins ask for the same money and account: "order-1", "order-1-again"\.$/)
    expect(shown[1]).toMatch(/^From \S+Z, by the sandbox's clock:$/)
    for (const line of shown.slice(2)) expect(line).toMatch(/^ *\+[\d.]+ ms {2}(request|status) +\S/)
  })

  test('has the table of magic values, line for line', () => {
    const rows = magicAmounts.map(({ amount, operatorCode, meaning }) => {
      return [String(amount), `\`${operatorCode}\``, meaning]
    })
    expect(tableAfter(page, '| amount | operator code |')).toEqual(rows)
  })

  test('names options that createSandbox takes', () => {
    const named = tableAfter(page, '| option |').flatMap(([names]) => names.match(/\w+/g) ?? [])
    expect(named.length).toBeGreaterThan(20)
    expect(Object.keys(normaliseOptions({}))).toEqual(expect.arrayContaining(named))
  })

  test('names every limiter', () => {
    const kinds: Record<LimiterKind, true> = {
      'sliding-window': true,
      'fixed-window': true,
      'token-bucket': true,
      'evenly-spaced': true,
    }
    expect(limiterKinds).toEqual(Object.keys(kinds))
    for (const kind of limiterKinds) expect(page).toContain(`\`${kind}\``)
  })

  test('names every expectation', async () => {
    const exported = Object.keys(await import('../src/index.js'))
    const named = tableAfter(page, '| call | holds when |').map(([call]) => /`(\w+)\(/.exec(call)?.[1])
    expect(named.sort()).toEqual(exported.filter((name) => name.startsWith('expect')).sort())
  })
})

/** What stands in `<!-- expect … -->` behind a program. */
function expectedBehind(text: string, code: string): string | undefined {
  const behind = text.slice(text.indexOf(code) + code.length)
  return /^\n```\n\n<!-- expect\n([\s\S]*?)\n-->/.exec(behind)?.[1]
}

/** A test of the page, in a vitest of its own. */
function runVitest(name: string): Promise<{ code: number | null; output: string }> {
  const config = join(folder, 'vitest.config.mjs')
  const settings = { root: folder, test: { include: [name], globals: true } }
  writeFileSync(config, `export default ${JSON.stringify(settings)}`)
  return run([join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', config])
}

function run(args: string[]): Promise<{ code: number | null; output: string }> {
  const { PATH = '' } = process.env
  // A program that does not end must not outlive the test that started it.
  const limits = { timeout: 50_000, killSignal: 'SIGKILL' } as const
  const child = spawn(process.execPath, args, { cwd: folder, env: { PATH }, ...limits })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}
