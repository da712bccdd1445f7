import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from 'merchant-gateway-sandbox'
import { describe, expect, test } from 'vitest'
import { closedAddress } from '../../../test/support/listening.js'
import { environmentOf } from '../../../test/support/merchant-environment.js'
import { root } from '../../../test/support/root.js'
import { examples, name } from '../src/program.js'
import { runHere } from './here.js'
import { escapes, inTerminal, run } from './support.js'

const commands = Object.entries(examples).map(([command, example]) => ({
  program: name,
  command,
  example,
}))
const page = ['command-line', 'doctor', 'payouts']
  .map((name) => readFileSync(join(root, `docs/${name}.md`), 'utf8'))
  .join('\n')

/** The output that the page shows under a command. */
function shown(command: string): string | undefined {
  const start = `\`\`\`text\n$ ${command}\n`
  const from = page.indexOf(start)
  return from < 0 ? undefined : page.slice(from + start.length, page.indexOf('\n```', from))
}

const ownPages = ['payouts']

test.each(ownPages)('the help of merchant-gateway leads to that of %s', async (name) => {
  expect(shown('merchant-gateway --help')).toContain(`\n  ${name} `)
  const { stdout } = await runHere([name, '--help'])
  expect(shown(`merchant-gateway ${name} --help`)).toBe(stdout.trimEnd())
})

test('the help fits a screen of 24 lines and 80 columns, and the page shows it', async () => {
  const { code, stdout, stderr } = await run(['--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(24)
  expect(stdout).not.toMatch(/.{81}/)
  expect(shown('merchant-gateway --help')).toBe(stdout.trimEnd())
})

test.each(commands)(
  '$program $command has a help that fits a screen, with an example, and is in the help of the whole or of its group',
  async ({ command, program, example }) => {
    const { code, stdout, stderr } = await runHere([...command.split(' '), '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(24)
    expect(stdout).not.toMatch(/.{81}/)
    const group = ownPages.filter((name) => command.startsWith(`${name} `))
    expect(shown([program, ...group, '--help'].join(' '))).toContain(`\n  ${command} `)
    expect(stdout.replaceAll('\\\n  ', '')).toContain(`\nExample: ${program} ${example}\n`)
    expect(example.split(' ')[0]).toBe(command.split(' ')[0])
    for (const option of example.match(/--[a-z-]+/g) ?? []) expect(stdout).toContain(option)
  },
)

test('help environment lists every variable of the client, and fits a screen', async () => {
  const { code, stdout } = await runHere(['help', 'environment'])
  const options = readFileSync(join(root, 'docs/options.md'), 'utf8')
  const variables = new Set(options.match(/\b(?:GATEWAY|NODE)_[A-Z_]+\b/g))
  expect(variables.size).toBeGreaterThan(20)
  for (const name of variables) expect(stdout).toMatch(new RegExp(`\\b${name}\\b`))
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(24)
  expect(stdout).not.toMatch(/.{81}/)
  expect(code).toBe(0)
})

test.each([
  ['help', '--help'],
  ['help payin get', 'payin get --help'],
  ['help doctor', 'doctor --help'],
  ['', '--help'],
  ['payouts', 'payouts --help'],
  ['payin', 'payin --help'],
])('"%s" prints what "%s" prints', async (help, option) => {
  expect(await runHere(help.split(' ').filter(Boolean))).toEqual(await runHere(option.split(' ')))
})

describe('what fails is JSON with --json, and nothing else is said', () => {
  const failing: [string[], string, number][] = [
    [['payin', 'get'], 'usage', 2],
    [['doctor', '--jsn'], 'usage', 2],
    [['balances'], 'configuration', 2],
  ]
  test.each(failing)('%j: %s', async (args, code, exitCode) => {
    const plain = await runHere(args)
    const ended = await runHere([...args, '--json'])
    expect(ended).toMatchObject({ code: exitCode, stderr: '' })
    const { error } = JSON.parse(ended.stdout)
    expect(error).toEqual({ code, message: expect.any(String), exitCode })
    expect(ended.stdout.trimEnd()).not.toContain('\n')
    expect(plain).toEqual({
      code: exitCode,
      stdout: '',
      stderr: expect.stringMatching(/^error: .*\n( {7}.*\n)?$/),
    })
    expect(error.message).toContain(plain.stderr.slice('error: '.length, plain.stderr.indexOf('\n') - 1))
  })

  test('a gateway that is not there, and one that says no', async () => {
    await using sandbox = createSandbox({ payAfterMs: false })
    await sandbox.listen()
    const env = environmentOf(sandbox)
    const none = await runHere(['payin', 'get', 'order-1', '--json'], env)
    expect(none).toMatchObject({ code: 1, stderr: '' })
    expect(JSON.parse(none.stdout).error).toMatchObject({ code: 'not_found', exitCode: 1, status: 404 })
    const gone = await runHere(['payin', 'get', 'order-1', '--json'], {
      ...env,
      GATEWAY_BASE_URL: await closedAddress(),
    })
    expect(gone).toMatchObject({ code: 3, stderr: '' })
    expect(JSON.parse(gone.stdout).error).toMatchObject({ code: 'connection', exitCode: 3 })
  })
})

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

describe('wrong usage ends with 2, and says on standard error what was wrong and what to do', () => {
  const wrong: [string, string[], RegExp][] = [
    ['an unknown command', ['doctr'], /unknown command 'doctr' \(Did you mean doctor\?\)/],
    [
      'a command that nothing is near to',
      ['version'],
      /^error: unknown command 'version'\.\n {7}"merchant-gateway help" lists the commands\.$/m,
    ],
    ['an unknown command of a group', ['payouts', 'reprot'], /'reprot' \(Did you mean report\?\)/],
    ['an unknown option', ['doctor', '--jsn'], /unknown option '--jsn' \(Did you mean --json\?\)/],
    ['no id', ['payin', 'get'], /'ID'\.\n {7}"merchant-gateway help payin get" says how it is used\.$/m],
    ['too many arguments', ['doctor', 'now'], /too many arguments for 'doctor'/],
    ['a length that is no choice', ['keygen', '--bits', '1024'], /2048, 3072, 4096/],
    ['a command to help with that is none', ['help', 'payins'], /no such command/],
    ['a currency that is no code', ['balances', 'EURO'], /It must be a code of three letters/],
    ['an unset environment', ['balances'], /GATEWAY_BASE_URL is not set/],
  ]
  test.each(wrong)('%s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await runHere(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error: .*\n( {7}.*\n)?$/)
    expect(stderr).toMatch(sentence)
  })

  test('a token that was typed in a wrong place is not repeated', async () => {
    const { stderr } = await runHere(['payin', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJNIn0.c2ln'])
    expect(stderr).toBe(
      `error: unknown command '[redacted]'.\n       "merchant-gateway help payin" says how it is used.\n`,
    )
  })
})

describe('colours', () => {
  test('are there in a terminal', async () => {
    const { code, screen } = await inTerminal(['--help']).finished
    expect(code).toBe(0)
    expect(screen).toMatch(/\u001b\[1mUsage:\u001b\[22m/)
    expect((await inTerminal(['balances']).finished).screen).toMatch(/\u001b\[31merror:\u001b\[39m/)
  })

  test.each([
    ['NO_COLOR', '1'],
    ['TERM', 'dumb'],
  ])('are not there in a terminal with %s=%s', async (name, value) => {
    expect((await inTerminal(['--help'], { [name]: value }).finished).screen).not.toMatch(escapes)
    expect((await inTerminal(['balances'], { [name]: value }).finished).screen).not.toMatch(escapes)
  })

  test('are not there in a pipe', async () => {
    const env = { TERM: 'xterm-256color', FORCE_COLOR: '1' }
    expect((await run(['--help'], { env })).stdout).not.toMatch(escapes)
    expect((await run(['balances'], { env })).stderr).not.toMatch(escapes)
  })

  test.each([60, 80, 100, 200])(
    'help and errors are no wider than a terminal of %s columns',
    async (columns) => {
      const env = { NO_COLOR: '1' }
      const wide = Math.min(columns, 100)
      for (const args of [['--help'], ['payouts', 'send', '--help'], ['help', 'environment'], ['balances']]) {
        const { screen } = await inTerminal(args, env, columns).finished
        const longest = screen.split(/\r?\n/).reduce((most, { length }) => Math.max(most, length), 0)
        expect([args, longest <= (args[0] === 'balances' ? columns : wide)]).toEqual([args, true])
      }
    },
  )
})
