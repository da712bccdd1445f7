import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { closedAddress } from '../../../../test/support/listening.js'
import { run as runCommand } from '../../src/cli/program.js'
import { run, start, startWith, temporaryFolders } from './here.js'

const folders = temporaryFolders()
const hasPython = spawnSync('python3', ['--version']).status === 0
const hasLaterClock = spawnSync('faketime', ['--version']).status === 0

/** Arguments for a shop of `packages/sandbox/test/rehearse/shops`, on a port of its own. */
async function shop(
  command: string,
  more: readonly string[] = [],
  paid = 'status=SUCCESS',
): Promise<string[]> {
  const url = await closedAddress()
  const { port } = new URL(url)
  const data = folders()
  return [
    'rehearse',
    ...['--start', `SHOP_DATA=${data} SHOP_DATABASE=${join(data, 'shop.db')} PORT=${port} ${command}`],
    ...['--action', `POST ${url}/orders/{n}`, '--status', `${url}/orders/{n}`],
    // Nobody acts again because the machine is slow.
    ...['--paid', paid, '--patience', '60'],
    ...more,
  ]
}

const oldShop = `'${process.execPath}' packages/sandbox/test/rehearse/shops/old/server.mjs`
const outboxShop = `'${process.execPath}' packages/sandbox/test/rehearse/shops/outbox/server.mjs`
const knownShop = (file: string) => `'${process.execPath}' packages/sandbox/known-bugs/${file}`
const pythonShop = 'python3 packages/sandbox/known-bugs/right/threads.py'

/** For a shop that does not know whether it was paid. */
function withoutStatus(args: readonly string[]): string[] {
  const at = args.indexOf('--status')
  return [...args.slice(0, at), ...args.slice(at + 4)]
}

interface Told {
  readonly outcome: string
  readonly sentence: string
  readonly history: unknown
}

/** What `rehearse` says of each case, that without a fault first. */
async function rehearsed(args: readonly string[]) {
  const { cases }: { cases: Told[] } = JSON.parse((await run(['rehearse', ...args, '--json'])).stdout)
  return { cases, sentences: cases.map(({ sentence }) => sentence) }
}

/** The same of the shop with an outbox. */
async function outbox(settings: string, names: string, ...more: readonly string[]) {
  const [, ...args] = await shop(`${settings} ${outboxShop}`, ['--cases', names, ...more])
  return rehearsed(withoutStatus(args))
}

const ended = expect.stringMatching(
  /^none: .*; the application has ended by itself \(exit code 7\), and was started again$/,
)

/** Nobody listens there any more: the shop and all that it started have ended. */
async function isGone(args: readonly string[]): Promise<boolean> {
  const action = args[args.indexOf('--action') + 1] ?? ''
  const address = action.replace('POST ', '').replace('{n}', '1')
  return fetch(address).then(
    () => false,
    () => true,
  )
}

describe.concurrent('rehearse', { timeout: 120_000 }, () => {
  test('finds the two payins of the old shop, and writes them down in every form', async () => {
    const folder = folders()
    const junit = join(folder, 'junit.xml')
    const files = ['--junit', junit]
    const args = await shop(oldShop, ['--cases', 'answer-twice,killed', ...files])
    const { code, stdout, stderr } = await run(args)
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^right +answer-twice/m)
    const flat = stdout.replaceAll(/\s+/g, ' ')
    expect(flat).toContain('WRONG killed two payments: the application made a new id after it was killed')
    expect(stdout).toContain('2 right, 1 wrong.')
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true)
    expect(code).toBe(1)
    expect(readFileSync(junit, 'utf8')).toMatch(/tests="3" failures="1"/)
    expect(await isGone(args)).toBe(true)
  })

  test('finds a payment that the old shop never hears of, and one line of JSON says so', async () => {
    const args = await shop(oldShop, ['--cases', 'callback-first', '--wait', '5', '--json'])
    const { code, stdout } = await run(args)
    const report: unknown = JSON.parse(stdout)
    expect(report).toMatchObject({
      ok: false,
      kind: 'payin',
      cases: [
        { name: 'clean', outcome: 'right' },
        {
          name: 'callback-first',
          outcome: 'wrong',
          sentence: "paid at the gateway, and the application doesn't say so",
          payments: [{ kind: 'payin', status: 'SUCCESS' }],
          advice: expect.arrayContaining([expect.stringContaining('--wait')]),
        },
      ],
    })
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(1)
  })

  test.skipIf(!hasPython)('passes a shop in another language, with nothing of ours in it', async () => {
    const cases = 'answer-lost,killed,refused,callback-first,token-revoked'
    const { code, stdout } = await run(await shop(pythonShop, ['--cases', cases], 'state=paid'))
    expect(stdout).toContain('6 right, 0 wrong.')
    expect(code).toBe(0)
  })

  const newId = 'two payments: the application made a new id after'

  test('kills and cuts off a shop with an outbox when that sends, after the action', async () => {
    const names = 'killed,refused,lost-and-restarted,killed-before'
    const { cases, sentences } = await outbox('', names, '--wait', '8')
    expect(sentences).toEqual(Array(5).fill('one payment'))
    expect(JSON.stringify(cases[1]?.history)).toContain('has started again')
    expect(JSON.stringify(cases[2]?.history)).toContain('and the connection was cut')
  })

  test.each([
    [
      'new ids',
      'SHOP_IDS=new',
      'killed,lost-and-restarted',
      `${newId} it was killed`,
      `${newId} the restart`,
    ],
    ['two workers', 'SHOP_WORKERS=2 SHOP_IDS=new', 'two-workers', `${newId} the second worker`],
    // What it sends is written down before it is sent.
    ['early marks', 'SHOP_MARKS=early', 'killed-before', expect.stringMatching(/^none: .*holds no payment$/)],
    // It ends while it is asked for something: what ends behind its last response may still run after its case.
    ['an end of its own', 'SHOP_CRASHES=1', 'answer-twice,rate-limited', ended, 'one payment'],
  ])('finds what is wrong with an outbox: %s', async (_what, settings, names, ...wanted) => {
    const { sentences } = await outbox(settings, names, '--wait', '8')
    expect(sentences).toEqual(['one payment', ...wanted])
  })

  test('kills an action that is the application itself', async () => {
    const action = `'${process.execPath}' packages/sandbox/test/rehearse/shops/program/pay.mjs {n}`
    const { sentences } = await rehearsed(['--action', action, '--cases', 'killed', '--patience', '60'])
    expect(sentences).toEqual(['one payment', `${newId} it was killed`])
  })

  const late = "paid at the gateway, and the application doesn't say so"
  const stopped = `'${process.execPath}' packages/sandbox/test/rehearse/shops/stops/server.mjs`
  test.skipIf(!hasLaterClock).each([
    ['cancels later', knownShop('wrong/cancels-in-a-sweep.mjs'), late],
    ['gave the order up', knownShop('wrong/coreshop-2529.mjs'), late],
    ['asks, and believes nothing', `SHOP_ASKS=1 ${stopped}`, late],
    ['is still', stopped, /^could not tell: one payment, and the application did nothing until its clock/],
    ['is right', knownShop('right/plain.mjs'), 'one payment, and the application says paid'],
  ])('pays two hours later, by the clock of a shop that %s', async (_what, command, sentence) => {
    const [, ...args] = await shop(command, ['--cases', 'paid-late', '--wait', '8'], 'state=paid')
    const { cases } = await rehearsed(args)
    expect(cases).toMatchObject([{ outcome: 'right' }, { sentence: expect.stringMatching(sentence) }])
  })

  test('can not tell of a kill that left the shop running', async () => {
    const pidFile = join(folders(), 'shop.pid')
    const start = `sh -c 'setsid node packages/sandbox/test/rehearse/shops/outbox/server.mjs & echo $! > ${pidFile}; wait'`
    try {
      const { code, stdout } = await run(withoutStatus(await shop(start, ['--cases', 'killed'])))
      expect(stdout).toMatch(/^\? +killed/m)
      expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
        /could not tell: one payment, and port \d+ still answers/,
      )
      expect(stdout).toContain('1 right, 0 wrong, 1 could not tell.')
      expect(code).toBe(0)
    } finally {
      process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL')
    }
  })

  test('asks a command whether an order is paid, says what it read, and where to look', async () => {
    const junit = join(folders(), 'advice.xml')
    const args = await shop(oldShop, ['--cases', 'callback-first', '--wait', '5', '--junit', junit])
    const url = args[args.indexOf('--status') + 1]
    const asked = [...withoutStatus(args), '--status', `curl -s ${url}`, '--paid', 'status=SUCCESS']
    const { stdout } = await run(asked)
    const flat = stdout.replaceAll(/\s+/g, ' ')
    expect(flat).toContain("paid at the gateway, and the application doesn't say so")
    expect(flat).toContain('says not paid (exit code 0, status is PENDING)')
    expect(flat).toContain('Broken: A payment that has succeeded becomes a paid order')
    expect(readFileSync(junit, 'utf8')).toContain('Broken: A payment that has succeeded')
  })

  /** What a shell may have of another gateway. */
  const shell = {
    GATEWAY_BASE_URL: 'https://gateway.example',
    GATEWAY_MERCHANT_CODE: 'OTHER',
    GATEWAY_PRIVATE_KEY: 'other key',
    GATEWAY_PRIVATE_KEY_PASSPHRASE: 'other words',
    GATEWAY_MERCHANT_SECRET: 'other secret',
    GATEWAY_TIMESTAMP_UNIT: 'seconds',
    GATEWAY_LIVE: 'true',
  }

  /** What an application sees of the gateway. */
  async function environment(more: readonly string[]): Promise<Record<string, string>> {
    const log = join(folders(), 'environment.log')
    const args = ['rehearse', '--action', 'env', '--wait', '1', '--cases', 'slow', '--app-log', log]
    await run([...args, ...more], shell)
    const found = readFileSync(log, 'utf8').matchAll(/^(GATEWAY_\w+)=(.*)$/gm)
    return Object.fromEntries([...found].map(([, name, value]) => [name, value]))
  }

  test('shows an application this sandbox, and nothing of the gateway that the shell names', async () => {
    const options = join(folders(), 'options.json')
    writeFileSync(options, JSON.stringify({ merchantCode: 'OF-A-FILE', timestampUnit: 'milliseconds' }))
    // The name by which a container reaches this machine.
    expect(await environment(['--host', 'localhost', '--options', options])).toEqual({
      GATEWAY_BASE_URL: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      GATEWAY_MERCHANT_CODE: 'OF-A-FILE',
      GATEWAY_TIMESTAMP_UNIT: 'milliseconds',
      GATEWAY_LIVE: 'false',
      GATEWAY_PRIVATE_KEY_FILE: expect.stringMatching(/\.pem$/),
    })
  })

  test('lets it sign with the key that the shell names where the sandbox knows that one', async () => {
    const file = join(folders(), 'public.pem')
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    writeFileSync(file, publicKey.export({ type: 'spki', format: 'pem' }))
    expect(await environment(['--public-key', file])).toEqual({
      ...shell,
      GATEWAY_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      GATEWAY_MERCHANT_CODE: 'SANDBOX-MERCHANT',
      GATEWAY_LIVE: 'false',
    })
  })

  test('counts payouts: the refund of a right shop passes, after an order that goes before it', async () => {
    const url = await closedAddress()
    const settings = `PORT=${new URL(url).port} SHOP_DATA=${folders()}`
    const { code, stdout } = await run([
      'rehearse',
      '--payouts',
      ...['--start', `${settings} '${process.execPath}' packages/sandbox/known-bugs/right/refunds.mjs`],
      ...['--before', `POST ${url}/orders/{n}`, '--action', `POST ${url}/orders/{n}/refund`],
      ...['--cases', 'answer-lost,killed', '--json'],
    ])
    const report: { cases: readonly { name: string; outcome: string; sentence: string }[] } =
      JSON.parse(stdout)
    expect(report).toMatchObject({ ok: true, kind: 'payout' })
    const verdicts = report.cases.map(({ name, outcome, sentence }) => `${name} ${outcome}: ${sentence}`)
    expect(verdicts).toEqual(['clean', 'answer-lost', 'killed'].map((name) => `${name} right: one payment`))
    expect(code).toBe(0)
  })

  test('goes through every case that is listed, when nobody says which', async () => {
    const namesOf = (stdout: string) => {
      const { cases }: { cases: { name: string }[] } = JSON.parse(stdout)
      return cases.map(({ name }) => name)
    }
    const listed = namesOf((await run(['rehearse', '--list', '--json'])).stdout)
    expect(listed).toEqual(expect.arrayContaining(['answer-lost', 'body-cut', 'proxy-page', 'silence']))
    const { stdout } = await run(['rehearse', '--action', 'exit 1', '--wait', '1', '--json'])
    expect(namesOf(stdout)).toEqual(listed)
  })

  test('says before it begins that a report can not be written', async () => {
    const { code, stdout, stderr } = await run(['rehearse', '--action', 'x', '--junit', folders()])
    expect(stderr).toBe('error: a file that is to be written is a directory.\n       Name a file in it.\n')
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  test('ends everything with Ctrl-C, and writes the report that there is', async () => {
    const junit = join(folders(), 'cut-short.xml')
    const args = await shop(oldShop, ['--junit', junit])
    const running = start(args)
    await running.until('clean')
    const { code, stderr } = await running.end()
    expect(stderr).toBe('error: the rehearsal was interrupted.\n')
    expect(code).toBe(130)
    const xml = readFileSync(junit, 'utf8')
    expect(xml).toMatch(/name="clean: [^"]*" time="[\d.]+"\/>/)
    expect(xml).toContain('<skipped message="not played: the rehearsal ended before"/>')
    expect(await isGone(args)).toBe(true)
  })

  test('takes no options from then on where --save has written them down', async () => {
    const folder = folders()
    const args = await shop(oldShop, ['--cases', 'slow', '--json'])
    const saved = await startWith((io) => runCommand([...args, '--save'], { ...io, folder })).finished
    expect(saved.stderr).toContain('The options are in rehearse.json')
    expect(JSON.parse(readFileSync(join(folder, 'rehearse.json'), 'utf8'))).toEqual({
      start: args[2],
      action: args[4],
      status: args[6],
      paid: args[8],
    })
    const again = await startWith((io) => {
      return runCommand(['rehearse', '--cases', 'slow', '--json'], { ...io, folder })
    }).finished
    const outcomesOf = ({ stdout }: { stdout: string }) =>
      JSON.parse(stdout).cases.map(({ outcome }: { outcome: string }) => outcome)
    expect(outcomesOf(again)).toEqual(outcomesOf(saved))
    const twice = await startWith((io) => runCommand([...args, '--save'], { ...io, folder })).finished
    expect(twice).toMatchObject({ code: 2, stdout: expect.stringContaining('rehearse.json exists already.') })
  })

  test.each([
    ['[]', 'rehearse.json holds no JSON object. Write one'],
    ['{"actions": "x"}', 'rehearse.json holds what is no option. It takes texts named start, ready'],
  ])('takes no options from %s', async (text, sentence) => {
    const folder = folders()
    writeFileSync(join(folder, 'rehearse.json'), text)
    const { code, stderr } = await startWith((io) => runCommand(['rehearse'], { ...io, folder })).finished
    expect(stderr.replace(/\n {7}/, ' ')).toContain(sentence)
    expect(code).toBe(2)
  })

  test('says when the application ends before it listens', async () => {
    const { code, stderr } = await run(await shop('false'))
    expect(stderr).toMatch(/^error: the application could not be started: it ended before it listened/)
    expect(code).toBe(3)
  })

  test('shows in a terminal what it plays, and takes it away at the end', async () => {
    const shown: string[] = []
    const args = await shop(oldShop, ['--cases', 'slow,unavailable'])
    const progress = (text: string) => void shown.push(text)
    await startWith((io) => runCommand(args, { ...io, progress })).finished
    expect(shown[0]).toBe('1 of 3: clean')
    expect(shown).toContain('2 of 3: slow')
    expect(shown.at(-1)).toBe('')
  })

  test.each([
    [[], 'error: --action is missing. Give what a customer does'],
    [['--action', 'x', '--cases', 'nothing-like-it'], '--cases names "nothing-like-it", which is no case'],
    [['--action', 'x', '--price', '19,90'], '--price is no amount with its currency. Give both'],
    [['--action', 'curl -H "authorization: bearer 0123456789abc" localhost:1'], '--action holds a key'],
    [
      ['--action', 'x', '--status', 'localhost:1', '--paid', 'x'],
      '--status holds no http or https address. Give one',
    ],
    [['--action', 'x', '--status', 'http://localhost:1'], '--status needs --paid. Give what'],
    [['--action', 'x', '--once', 'shipped=1'], '--once needs --status and a 1. Give what'],
    [['--action', 'POST http://localhost:1/{n}'], 'to know this sandbox. Give --port and --public-key'],
    [['--action', 'curl -X POST localhost:1/{n}'], 'to know this sandbox. Give --port and --public-key'],
  ])('refuses %j', async (args, sentence) => {
    const { code, stdout, stderr } = await run(['rehearse', ...args])
    expect(stderr.replace(/\n {7}/, ' ')).toContain(sentence)
    expect(stderr).not.toContain('0123456789abc')
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })
})
