import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../../../test/support/root.js'
import { examples } from '../../src/cli/program.js'
import { escapes, run, start } from './here.js'

const page = readFileSync(join(root, 'docs/sandbox-command.md'), 'utf8')

test('the help fits a screen of 24 lines and 80 columns, has no colours in a pipe, and the page shows it', async () => {
  const { code, stdout, stderr } = await run(['--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(24)
  expect(stdout).not.toMatch(/.{81}/)
  expect(stdout).not.toMatch(escapes)
  expect(page).toContain(`\`\`\`text\n$ merchant-gateway-sandbox --help\n${stdout.trimEnd()}\n\`\`\``)
  expect(await run(['help'])).toEqual(await run(['--help']))
})

test.each(Object.entries(examples))(
  '%s has a help that fits a screen, with an example',
  async (command, example) => {
    const { code, stdout } = await run([command, '--help'])
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(24)
    expect(stdout).not.toMatch(/.{81}/)
    expect(stdout).toContain(`\nExample: merchant-gateway-sandbox ${example}\n`)
    for (const option of example.match(/--[a-z-]+/g) ?? []) expect(stdout).toContain(option)
    expect(await run(['help', command])).toEqual(await run([command, '--help']))
  },
)

test.each<[string, string[], RegExp]>([
  ['an unknown command', ['reherse'], /unknown command 'reherse' \(Did you mean rehearse\?\)/],
  ['a command like no other', ['version'], /^ {7}"merchant-gateway-sandbox help" lists the commands\.$/m],
  ['an unknown option', ['rehearse', '--jsn'], /unknown option '--jsn' \(Did you mean --json\?\)/],
  [
    'a missing option',
    ['listen', '--sandbox', 'http://127.0.0.1'],
    /^ {7}"merchant-gateway-sandbox help listen" says how it is used\.$/m,
  ],
  ['a port that is none', ['--port', '70000'], /whole number from 0 to 65535/],
  ['a limiter that is no choice', ['sandbox', '--limiter', 'none'], /sliding-window/],
  ['a rate of nothing', ['sandbox', '--rate-limit', '0'], /whole number from 1 to 100000, or off/],
  ['a time with a unit', ['sandbox', '--pay-after', '5s'], /\(milliseconds\), or never/],
  ['a merchant code of nothing', ['sandbox', '--merchant-code', ' '], /must not be empty/],
  ['a command to help with that is none', ['help', 'payins'], /no such command/],
])(
  '%s ends with 2, and says on standard error what is wrong and perhaps what to do, or one line of JSON',
  async (_, args, sentence) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error: .*\n(?: {7}.*\n)?$/)
    expect(stderr).toMatch(sentence)
    const json = await run([...args, '--json'])
    expect(json).toMatchObject({ code: 2, stderr: '' })
    expect(JSON.parse(json.stdout)).toEqual({
      error: { code: 'usage', message: expect.any(String), exitCode: 2 },
    })
  },
)

test.each([60, 100])('every help is wrapped at %i columns, with its indent', async (columns) => {
  for (const command of [[], ...Object.keys(examples).map((one) => [one])]) {
    const { stdout } = await start([...command, '--help'], {}, { columns }).finished
    const lines = stdout.trimEnd().split('\n')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
    // What a command or an option does begins in one column, also in the lines that go on.
    const starts = lines.flatMap((line) => /^ {2}\S.*? {2,}(?=\S)|^ {6,}(?=\S)/.exec(line)?.[0].length ?? [])
    expect(new Set(starts).size).toBeLessThanOrEqual(1)
  }
})

test('listen without arguments prints its help', async () => {
  expect(await run(['listen'])).toEqual(await run(['listen', '--help']))
})

const canary = 'canary-s3cret-of-a-merchant'
const pem = `-----BEGIN PRIVATE KEY-----\n${'canary'.repeat(10)}\n-----END PRIVATE KEY-----\n`

test.each([
  [canary],
  [pem],
  ['sandbox', '--public-key', pem],
  ['sandbox', '--public-key', `MII${'canary/'.repeat(40)}`],
  ['sandbox', '--public-key', canary],
  ['sandbox', '--port', canary],
  ['sandbox', '--limiter', canary],
  ['sandbox', '--timestamp-unit', canary],
  ['sandbox', '--pay-after', canary],
  ['listen', '--forward-to', 'http://127.0.0.1', '--sandbox', `http://u:${canary}@127.0.0.1`],
  ['listen', '--forward-to', canary],
  ['listen', '--forward-to', `http://127.0.0.1/${canary}`],
])('what was typed in a wrong place is not repeated: %s %s', async (...args) => {
  const { code, stdout, stderr } = await run(args)
  expect(code).toBeGreaterThan(0)
  expect(stdout + stderr).not.toMatch(/canary/)
})

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/sandbox/package.json'), 'utf8'))
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})
