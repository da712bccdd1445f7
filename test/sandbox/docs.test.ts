import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limiterKinds } from '../../sandbox/src/gateway/engine/limiter.js'
import { type LimiterKind, magicAmounts } from '../../sandbox/src/index.js'
import { relyingOnNothing } from '../docs/strict.js'
import { blocksOf, tableAfter } from '../readme/markdown.js'
import { root } from '../support/root.js'

const page = readFileSync(join(root, 'docs/testing.md'), 'utf8')
const programs = blocksOf(page).filter(({ language }) => language === 'js')
// Inside the repository and outside of node_modules, so that the package is found by its own name; ignored by git.
const folder = join(root, 'coverage', `docs-of-testing-${process.pid}`)

beforeAll(() => {
  mkdirSync(folder, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('docs/testing.md', () => {
  test.each(programs)('the program in line $line runs', { timeout: 60_000 }, async ({ code, line }) => {
    const isTest = code.includes("from 'vitest'")
    const file = join(folder, `line-${line}${isTest ? '.test' : ''}.mjs`)
    writeFileSync(file, relyingOnNothing(code))
    const finished = await (isTest ? runVitest(line) : run([file]))
    expect(finished.code, finished.output).toBe(0)
    const expected = expectedBehind(code)
    if (expected !== undefined) expect(finished.output.trim()).toBe(expected)
    expect(finished.output).not.toContain('undefined')
    if (!isTest) expect(finished.output).not.toBe('')
    else expect(finished.output).toMatch(/2 passed/)
  })

  test('has no block of a language that is not run', () => {
    expect(new Set(blocksOf(page).map(({ language }) => language))).toEqual(new Set(['js', 'text']))
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
    const exported = Object.keys(await import('../../sandbox/src/index.js'))
    const named = tableAfter(page, '| call | holds when |').map(([call]) => /`(\w+)\(/.exec(call)?.[1])
    expect(named.sort()).toEqual(exported.filter((name) => name.startsWith('expect')).sort())
  })
})

test('nothing of the package imports msw', () => {
  const bundles = ['dist/index.js', 'sandbox/dist/index.cjs', 'dist/callbacks/index.js']
  for (const bundle of bundles) {
    expect(readFileSync(join(root, bundle), 'utf8')).not.toMatch(
      /from ?["']msw|require\(["']msw|import\(["']msw/,
    )
  }
})

/** What stands in `<!-- expect … -->` behind a program. */
function expectedBehind(code: string): string | undefined {
  const behind = page.slice(page.indexOf(code) + code.length)
  return /^\n```\n\n<!-- expect\n([\s\S]*?)\n-->/.exec(behind)?.[1]
}

/** A test of the page, in a vitest of its own. */
function runVitest(line: number): Promise<{ code: number | null; output: string }> {
  const config = join(folder, 'vitest.config.mjs')
  const settings = { root: folder, test: { include: [`line-${line}.test.mjs`] } }
  writeFileSync(config, `export default ${JSON.stringify(settings)}`)
  return run([join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', config])
}

function run(args: string[]): Promise<{ code: number | null; output: string }> {
  const { PATH = '' } = process.env
  // A program that does not end must not outlive the test that started it.
  const limits = { timeout: 25_000, killSignal: 'SIGKILL' } as const
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
