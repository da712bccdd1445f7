import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GatewayClient } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'
import { expect, test } from 'vitest'
import { environmentOf } from '../../../../test/support/merchant-environment.js'
import { run, start, temporaryFolders } from '../support.js'

const folder = temporaryFolders()

/** A gateway, payins that are paid, and the merchant's list of them in a file. */
async function merchant(count: number) {
  let left = Number.POSITIVE_INFINITY
  const reached: { resolve?: () => void } = {}
  const sandbox = createSandbox({
    payAfterMs: 0,
    rateLimit: false,
    balances: { EUR: 100 },
    onExchange: ({ request: { route } }) => {
      if (route === 'GET /payins/{idPayin}' && --left === 0) reached.resolve?.()
    },
  })
  await sandbox.listen()
  const cwd = folder()
  const client = new GatewayClient(sandbox.clientOptions())
  const ids: string[] = []
  const pay = async (idPayin: string) => {
    const paymentRequested = { money: { amount: 1.1, currencyCode: 'EUR' } }
    await client.payins.create({ idPayin, paymentRequested, paymentMethod: { paymentMethodCode: 'VAPAY' } })
    await client.payins.waitFor(idPayin, { maxWaitMs: 10_000 })
    ids.push(idPayin)
    const lines = ids.map((id) => `payin;${id};SUCCESS;shop`)
    writeFileSync(join(cwd, 'payments.csv'), `kind;id;status;channel\n${lines.join('\n')}\n`)
  }
  for (let n = 0; n < count; n++) await pay(`order-${n}`)
  const env = environmentOf(sandbox)
  return {
    sandbox,
    client,
    pay,
    cwd,
    options: { cwd, env },
    read: (name: string) => readFileSync(join(cwd, name), 'utf8'),
    afterLookUps: (lookups: number) =>
      new Promise<void>((resolve) => {
        left = lookups
        reached.resolve = resolve
      }),
    async [Symbol.asyncDispose]() {
      await client.close()
      await sandbox.close()
    },
  }
}

test('reconcile writes the next opening and a table, and ends with 1 when something is unexplained', async () => {
  await using shop = await merchant(1)
  const first = await run(['reconcile', '--payments', 'payments.csv', '--out', 'monday'], shop.options)
  expect(first).toMatchObject({ code: 0, stderr: '1 status request, 100 ms at ten a second.\n' })
  await shop.pay('=order-2')
  shop.sandbox.setBalance({ amount: 89.86, currencyCode: 'EUR' })
  const close = ['reconcile', '--opening', 'monday.json', '--payments', 'payments.csv']
  const second = await run([...close, '--out', 'tuesday'], shop.options)
  expect(second.code).toBe(1)
  expect(second.stdout).toBe(
    [
      '     opening  payins  payouts  fees  unexplained  closing',
      'EUR   101.10    1.10     0.00  0.00       -12.34    89.86',
      'Written: tuesday.json, tuesday.csv',
      '',
    ].join('\n'),
  )
  expect(second.stderr).toContain(
    'error: no payment that you know explains -12.34 EUR.\n       Ask the platform',
  )
  expect(shop.read('tuesday.csv')).toBe(
    [
      'currencyCode,what,kind,id,status,amount',
      'EUR,opening,,,,101.10',
      "EUR,payment,payin,'=order-2,SUCCESS,1.10",
      'EUR,unexplained,,,,-12.34',
      'EUR,closing,,,,89.86',
      '',
    ].join('\n'),
  )
  const again = await run([...close, '--out', 'tuesday'], shop.options)
  expect(again).toMatchObject({
    code: 2,
    stderr: 'error: tuesday.json exists already.\n       Give another --out.\n',
  })
  const json = await run(
    ['reconcile', '--opening', 'tuesday.json', '--payments', 'payments.csv', '--json'],
    shop.options,
  )
  expect(JSON.parse(json.stdout)).toMatchObject({ addsUp: true, files: { next: 'payments.balances.json' } })
}, 120_000)

test('reconcile that is killed goes on where it was', async () => {
  await using shop = await merchant(16)
  const args = ['reconcile', '--payments', 'payments.csv']
  const reached = shop.afterLookUps(12)
  const running = start(args, shop.options)
  await reached
  running.signal('SIGKILL')
  await running.finished
  expect(existsSync(join(shop.cwd, 'payments.balances.json'))).toBe(false)
  const known = shop
    .read('payments.balances.part')
    .split('\n')
    .filter((line) => line.includes('"id"')).length
  expect(known).toBeGreaterThan(0)
  const requests = () => shop.sandbox.requests.filter(({ route }) => route === 'GET /payins/{idPayin}').length
  const before = requests()
  expect(await run(args, shop.options)).toMatchObject({ code: 0 })
  expect(requests() - before).toBe(16 - known)
  expect(existsSync(join(shop.cwd, 'payments.balances.part'))).toBe(false)
}, 120_000)

test('reconcile does not go on with what belongs to another opening', async () => {
  await using shop = await merchant(0)
  writeFileSync(join(shop.cwd, 'payments.csv'), 'kind,id\n')
  writeFileSync(join(shop.cwd, 'payments.balances.part'), '{"begins":"2026-01-01T00:00:00.000Z"}\n')
  expect(await run(['reconcile', '--payments', 'payments.csv'], shop.options)).toMatchObject({
    code: 2,
    stderr:
      'error: payments.balances.part is of a run that began with another opening.\n       Remove it, or finish that run first.\n',
  })
  expect(shop.sandbox.requests).toEqual([])
}, 120_000)

test('reconcile names the lines that it can not read, and compares nothing', async () => {
  await using shop = await merchant(0)
  writeFileSync(
    join(shop.cwd, 'payments.csv'),
    'id,kind,amount\norder-1,payin\n000123-0987654321,bank\n,payout\norder-2,payin,10\n',
  )
  const { code, stderr } = await run(['reconcile', '--payments', 'payments.csv'], shop.options)
  expect([code, stderr]).toEqual([
    2,
    "line 3: kind must be payin or payout.\nline 4: id is missing.\nline 5: amount and currencyCode go together: give both, or neither.\nerror: 3 lines of payments.csv can't be read.\n       Nothing was reconciled.\n",
  ])
  expect(existsSync(join(shop.cwd, 'payments.balances.part'))).toBe(false)
}, 120_000)
