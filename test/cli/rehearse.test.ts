import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { closedAddress, root, run, start, temporaryFolder } from './support.js'

const folder = temporaryFolder()
const hasPython = spawnSync('python3', ['--version']).status === 0

/** Arguments for a shop of `test/sandbox/rehearse/shops`, on a port of its own. */
async function shop(command: string, more: readonly string[] = []): Promise<string[]> {
  const url = await closedAddress()
  const { port } = new URL(url)
  const database = join(folder.path, `shop-${port}.db`)
  return [
    'rehearse',
    ...['--start', `SHOP_DATABASE=${database} PORT=${port} ${command}`],
    ...['--act', `POST ${url}/orders/{n}`, '--status', `${url}/orders/{n}`],
    ...more,
  ]
}

const oldShop = `'${process.execPath}' test/sandbox/rehearse/shops/old/server.mjs`
const pythonShop = 'python3 test/sandbox/rehearse/shops/python/shop.py'

/** Nobody listens there any more: the shop and all that it started have ended. */
async function isGone(args: readonly string[]): Promise<boolean> {
  const act = args[args.indexOf('--act') + 1] ?? ''
  const address = act.replace('POST ', '').replace('{n}', '1')
  return fetch(address).then(
    () => false,
    () => true,
  )
}

describe('rehearse', { timeout: 120_000 }, () => {
  test('finds the two payins of the old shop, and writes them down in every form', async () => {
    const junit = join(folder.path, 'junit.xml')
    const vitest = join(folder.path, 'rehearsal.test.mjs')
    const files = ['--junit', junit, '--vitest', vitest]
    const args = await shop(oldShop, ['--cases', 'answer-twice,killed', '--patience', '3', ...files])
    const { code, stdout, stderr } = await run(args)
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^ok {4}answer-twice/m)
    const flat = stdout.replaceAll(/\s+/g, ' ')
    expect(flat).toContain('FAIL killed two payments: the application made a new id after it was killed')
    expect(stdout).toContain('2 passed, 1 failed.')
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true)
    expect(code).toBe(1)
    expect(readFileSync(junit, 'utf8')).toMatch(/tests="3" failures="1"/)
    expect(readFileSync(vitest, 'utf8')).toContain('"answer-twice,killed"')
    expect(await isGone(args)).toBe(true)
  })

  test('finds a payment that the old shop never hears of, and one line of JSON says so', async () => {
    const args = await shop(oldShop, ['--cases', 'callback-first', '--wait', '1', '--json'])
    const { code, stdout } = await run(args)
    const report: unknown = JSON.parse(stdout)
    expect(report).toMatchObject({
      ok: false,
      kind: 'payin',
      cases: [
        { name: 'clean', outcome: 'passed' },
        {
          name: 'callback-first',
          outcome: 'failed',
          sentence: "paid at the gateway, and the application doesn't say so",
          payments: [{ kind: 'payin', status: 'SUCCESS' }],
        },
      ],
    })
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(1)
  })

  test('plays its cases at another endpoint by --route, and the file for vitest does, too', async () => {
    const vitest = join(folder.path, 'route.test.mjs')
    const cases = ['--cases', 'rate-limited,answer-twice', '--route', 'GET /payouts/{idPayout}']
    const { stdout } = await run(await shop(oldShop, [...cases, '--json', '--vitest', vitest]))
    const report: unknown = JSON.parse(stdout)
    expect(report).toMatchObject({
      cases: [
        { name: 'clean', outcome: 'passed' },
        { name: 'rate-limited', sentence: 'one payment, and nothing met what was armed' },
        { name: 'answer-twice', sentence: 'not played: it happens to a create only' },
      ],
    })
    expect(readFileSync(vitest, 'utf8')).toContain('"--route",\n  "GET /payouts/{idPayout}"')
  })

  test.skipIf(!hasPython)('passes a shop in another language, with nothing of ours in it', async () => {
    const cases = 'answer-lost,killed,refused,callback-first,token-revoked'
    const { code, stdout } = await run(await shop(pythonShop, ['--cases', cases]))
    expect(stdout).toContain('6 passed, 0 failed.')
    expect(code).toBe(0)
  })

  test('counts payouts: the refund of the demo shop passes, after an order that goes before it', async () => {
    const url = await closedAddress()
    const { port } = new URL(url)
    const orders = join(folder.path, `orders-${port}`)
    const key = 'rehearsed-cart-of-the-shop-{n}'
    const settings = `PORT=${port} SHOP_FOLDER=${orders} GATEWAY_CALLBACK_SECRET=${randomBytes(32).toString('hex')}`
    const { code, stdout } = await run([
      'rehearse',
      '--payouts',
      ...['--start', `${settings} '${process.execPath}' examples/demo-shop/server.mjs`],
      ...['--before', `POST ${url}/orders/${key} ${order}`],
      ...['--act', `POST ${url}/orders/${key}/refund {}`],
      ...['--status', `${url}/orders/${key}`, '--paid', '"refund":{"status":"SUCCESS"'],
      ...['--cases', 'answer-lost,error-after,killed,callback-never', '--json'],
    ])
    const report: { cases: readonly { name: string; outcome: string; sentence: string }[] } =
      JSON.parse(stdout)
    expect(report).toMatchObject({ ok: true, kind: 'payout' })
    const verdicts = report.cases.map(({ name, outcome, sentence }) => `${name} ${outcome}: ${sentence}`)
    expect(verdicts).toEqual(
      ['clean', 'answer-lost', 'error-after', 'killed', 'callback-never'].map(
        (name) => `${name} passed: one payment, and the application says paid`,
      ),
    )
    expect(code).toBe(0)
  })

  test('passes the order of the demo shop', async () => {
    const url = await closedAddress()
    const { port } = new URL(url)
    const orders = join(folder.path, `orders-${port}`)
    const at = `${url}/orders/rehearsed-cart-of-the-shop-{n}`
    const settings = `PORT=${port} SHOP_FOLDER=${orders} GATEWAY_CALLBACK_SECRET=${randomBytes(32).toString('hex')}`
    const { code, stdout } = await run([
      'rehearse',
      ...['--start', `${settings} '${process.execPath}' examples/demo-shop/server.mjs`],
      ...['--act', `POST ${at} ${order}`, '--status', at],
      ...['--cases', 'answer-lost,error-after,killed,callback-first,token-revoked', '--json'],
    ])
    const report: { cases: readonly { name: string; outcome: string }[] } = JSON.parse(stdout)
    expect(report).toMatchObject({ ok: true, kind: 'payin' })
    expect(report.cases.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      'clean passed',
      'answer-lost passed',
      'error-after passed',
      'killed passed',
      'callback-first passed',
      'token-revoked passed',
    ])
    expect(code).toBe(0)
  })

  test('takes a command for an act, which is killed with the application', async () => {
    const program = join(folder.path, 'pay.mjs')
    writeFileSync(program, payWithANewId)
    const act = `'${process.execPath}' '${program}' {n}`
    const { code, stdout } = await run(['rehearse', '--act', act, '--cases', 'killed', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'payout',
      cases: [{}, { sentence: 'two payments: the application made a new id after it was killed' }],
    })
    expect(code).toBe(1)
  })

  test('goes through every case that is listed, when nobody says which', async () => {
    const namesOf = (stdout: string) => {
      const { cases }: { cases: { name: string }[] } = JSON.parse(stdout)
      return cases.map(({ name }) => name)
    }
    const listed = namesOf((await run(['rehearse', '--list', '--json'])).stdout)
    expect(listed).toEqual(expect.arrayContaining(['answer-lost', 'body-cut', 'proxy-page', 'silence']))
    const { stdout } = await run(['rehearse', '--act', 'exit 1', '--wait', '1', '--json'])
    expect(namesOf(stdout)).toEqual(listed)
  })

  test('ends everything with Ctrl-C', async () => {
    const args = await shop(oldShop)
    const running = start(args)
    await running.until('clean')
    running.signal('SIGINT')
    const { code, stderr } = await running.finished
    expect(stderr).toBe('error: the rehearsal was interrupted.\n')
    expect(code).toBe(130)
    expect(await isGone(args)).toBe(true)
  })

  test('says when the application ends before it listens', async () => {
    const { code, stderr } = await run(await shop('false'))
    expect(stderr).toMatch(/^error: the application could not be started: it ended before it listened/)
    expect(code).toBe(3)
  })

  test.each([
    [[], 'give --act'],
    [['--act', 'POST http://localhost:1/{n}'], 'give --port and --public-key'],
    [['--act', 'x', '--cases', 'nothing-like-it'], '--list shows all'],
    [
      ['--act', 'curl -H "authorization: bearer 0123456789abc" localhost:1'],
      '--act holds a key or a token itself',
    ],
    [['--act', 'x', '--status', 'localhost:1'], '--status must hold an http or https address'],
  ])('refuses %j', async (args, sentence) => {
    const { code, stdout, stderr } = await run(['rehearse', ...args])
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('0123456789abc')
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  test('has every option that it takes in its help, and so has the sandbox', async () => {
    for (const command of ['rehearse', 'sandbox']) {
      const { stdout } = await run([command, '--help'])
      const shared = ['--start', '--ready', '--before', '--act', '--status', '--paid']
      const own = ['--patience', '--wait', '--cases', '--route', '--payouts', '--junit', '--vitest']
      for (const option of command === 'rehearse' ? [...shared, ...own] : shared) {
        expect(stdout, `${command} ${option}`).toContain(option)
      }
    }
  })

  test('lists its cases', async () => {
    const { code, stdout } = await run(['rehearse', '--list'])
    expect(stdout).toContain('answer-lost')
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true)
    expect(code).toBe(0)
  })
})

/** What the page of the demo shop sends. */
const order = JSON.stringify({
  lines: [{ product: 'sencha', quantity: 1 }],
  bank: { methodCode: 'VAPAY', operatorCode: 'HARBOUR' },
  account: { accountName: 'Jana Example', accountNumber: '000123-0123456789' },
})

const payWithANewId = `
import { randomUUID } from 'node:crypto'
import { GatewayClient } from '${root}dist/index.js'

const client = GatewayClient.fromEnv()
await client.payouts.create({
  idPayout: randomUUID(),
  paymentRequested: { money: { amount: 10, currencyCode: 'EUR' } },
  paymentMethod: {
    paymentMethodCode: 'BANK_TRANSFER',
    account: { accountName: 'Ada', accountNumber: 'DE02120300000000202051' },
  },
})
await client.close()
`
