import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { runNode, secrets } from '../support.js'
import { account, newKey, ShopProcess, tea, type View } from './shop.js'

// Each test waits for a whole process, or two.
vi.setConfig({ testTimeout: 120_000 })
const patient = { interval: 10, timeout: 20_000 }

async function started(): Promise<ShopProcess> {
  const shop = await ShopProcess.open()
  await shop.start()
  return shop
}

/** Under load, a response may come before the gateway's. */
const isToPay = ({ status, payTo }: View) => status === 'PENDING' && payTo !== null

/** Ordered and paid. @returns the order's path */
async function paid(shop: ShopProcess): Promise<string> {
  const path = `/orders/${newKey()}`
  await shop.insist(path, tea, isToPay)
  shop.sandbox.payins.list()[0]?.pay()
  await shop.insist(path, undefined, ({ status }) => status === 'SUCCESS')
  return path
}

const creates = ({ sandbox }: ShopProcess, kind: 'payins' | 'payouts') =>
  sandbox.requests.filter(
    ({ method, path }) => method === 'POST' && path.includes(`/${kind}/`) && !path.includes('!'),
  )

test('ten orders with one key, all at once and in other words, are one order at the price of the shop', async () => {
  await using shop = await started()
  const path = `/orders/${newKey()}`
  const asked = (quantity: number) => shop.ask(path, { ...tea, quantity, cents: 1, amount: '0.01' })
  const responses = await Promise.all(Array.from({ length: 10 }, (_, index) => asked(index + 1)))
  const numbers = new Set(responses.map(({ body }) => `${body.number} ${body.cents}`))
  expect(numbers.size).toBe(1)
  const order = await shop.insist(path, undefined, isToPay)
  expect(order).toMatchObject({
    number: expect.stringMatching(/^HT-\w{4}-\w{4}$/),
    accountEnd: '6789',
    payTo: { bank: 'Harbour Bank', reference: expect.stringMatching(/^\d{12}$/) },
  })
  expect(creates(shop, 'payins')).toHaveLength(1)
  const [payin] = shop.sandbox.payins.list()
  expect(payin?.money.amount).toBe(order.cents / 100)
  for (const secret of [...secrets, payin?.id ?? '']) expect(JSON.stringify(order)).not.toMatch(secret)
  expect(shop.errors).toBe('')
})

test('a callback for an order that is not stored is not answered 204, so that it comes again', async () => {
  await using shop = await started()
  await paid(shop)
  await shop.kill()
  rmSync(shop.orders, { recursive: true })
  await shop.start()
  const before = shop.sandbox.callbacks.length
  shop.sandbox.payins.list()[0]?.sendCallback()
  await expect.poll(() => shop.sandbox.callbacks[before]?.response, patient).toBe(500)
})

test('an order hears of its payment without any callback, and by one that comes before it is made', async () => {
  await using shop = await started()
  shop.sandbox.fault({ route: 'POST /payins/{idPayin}', action: { kind: 'callback-first' } })
  const path = `/orders/${newKey()}`
  await shop.insist(path, tea, isToPay)
  expect(shop.sandbox.callbacks.map(({ response }) => response)).toEqual([204])
  shop.sandbox.callbackFault({ kind: 'payin', times: 9, action: { kind: 'missing' } })
  shop.sandbox.payins.list()[0]?.pay()
  await shop.insist(path, undefined, ({ status }) => status === 'SUCCESS')
  expect(shop.sandbox.callbacks).toHaveLength(1)
})

test('a refund goes once, of what is paid, to the account that paid, whoever asks and whatever account they name', async () => {
  await using shop = await started()
  const unpaid = `/orders/${newKey()}`
  await shop.insist(unpaid, tea)
  expect(await shop.ask(`${unpaid}/refund`, {})).toMatchObject({ status: 409 })
  shop.sandbox.reset()
  const path = await paid(shop)
  const mine = { account: { accountName: 'Mallory', accountNumber: '666' }, accountNumber: '666' }
  await Promise.all([1, 2, 3].map(() => shop.ask(`${path}/refund`, mine)))
  await shop.insist(path, undefined, ({ refunds: [refund] }) => refund?.status === 'PENDING')
  const [payout, ...others] = creates(shop, 'payouts')
  expect(others).toEqual([])
  expect(JSON.parse(payout?.bodyText ?? '')).toMatchObject({
    paymentRequested: { money: { amount: 19.6, currencyCode: 'EUR' } },
    paymentMethod: { account },
  })
})

test('an order is refunded in parts, each number once, and never above what was paid', async () => {
  await using shop = await started()
  const path = await paid(shop)
  const clicks = [1, 2, 3].map(() => shop.ask(`${path}/refund`, { number: 1, amount: '4.5' }))
  expect((await Promise.all(clicks)).map(({ body }) => body.left)).toEqual([1510, 1510, 1510])
  const isSent = (number: number) => (view: View) => view.refunds[number - 1]?.status === 'PENDING'
  await shop.insist(path, undefined, isSent(1))
  const wrong: readonly (readonly [number: unknown, amount: unknown, status: number])[] = [
    ...['15.11', '0'].map((amount) => [2, amount, 409] as const),
    ...['', '1.005', '-1', '1e1', '1,50', 1.5].map((amount) => [2, amount, 400] as const),
    ...['2', null].map((number) => [number, '1', 400] as const),
    ...[3, 0, 1.5].map((number) => [number, '1', 409] as const),
  ]
  for (const [number, amount, status] of wrong) {
    expect(await shop.ask(`${path}/refund`, { number, amount })).toMatchObject({ status })
  }
  const rest = await shop.insist(`${path}/refund`, { number: 2 }, isSent(2))
  expect(rest).toMatchObject({ left: 0, refunds: [{ cents: 450 }, { number: 2, cents: 1510 }] })
  expect(shop.sandbox.payouts.list().map(({ money }) => money.amount)).toEqual([4.5, 15.1])
  for (const payout of shop.sandbox.payouts.list()) payout.pay()
  await shop.insist(path, undefined, ({ refunds }) => refunds.every(({ status }) => status === 'SUCCESS'))
  await expect
    .poll(() => shop.sandbox.callbacks.every(({ response }) => response === 204), patient)
    .toBe(true)
})

test('a refund that the gateway does not take is there after a restart, and is sent when it can be', async () => {
  await using shop = await started()
  const path = await paid(shop)
  const route = 'POST /payouts/{idPayout}'
  const action = { kind: 'status', status: 503 } as const
  const fault = shop.sandbox.fault({ route, times: Number.POSITIVE_INFINITY, action })
  const answer = await shop.ask(`${path}/refund`, {})
  expect(answer).toMatchObject({ status: 202, body: { refunds: [{ status: 'REQUESTED' }] } })
  await shop.kill()
  await shop.start()
  expect((await shop.ask(path)).body.refunds[0]?.status).toBe('REQUESTED')
  fault.remove()
  await shop.insist(path, undefined, ({ refunds: [refund] }) => refund?.status === 'PENDING')
  expect(shop.sandbox.payouts.size).toBe(1)
})

test.each([
  { why: 'another account paid', change: { paymentMethodResponse: { account: { accountNumber: '777' } } } },
  { why: 'the gateway shows no account', change: { paymentMethodResponse: {} } },
  {
    why: 'the gateway masks the account',
    change: { paymentMethodResponse: { account: { accountNumber: '******-******6789' } } },
  },
  { why: 'the payin is no longer paid', change: { process: { status: 'FAILED' } } },
])('a refund waits for a person when $why', async ({ change }) => {
  await using shop = await started()
  const path = await paid(shop)
  shop.sandbox.fault({
    route: 'GET /payins/{idPayin}',
    times: Number.POSITIVE_INFINITY,
    action: { kind: 'mutate', change: (json) => Object.assign({}, json, change) },
  })
  const { number } = await shop.insist(
    `${path}/refund`,
    {},
    ({ refunds: [refund] }) => refund?.status === 'CHECKING',
  )
  await shop.kill()
  await shop.start()
  expect((await shop.ask(path)).body.refunds[0]?.status).toBe('CHECKING')
  expect(creates(shop, 'payouts')).toEqual([])
  expect(shop.errors).toMatch(new RegExp(`Order ${number} .*refund it by hand .* has no payout \\w+`))
  for (const secret of secrets) expect(shop.errors).not.toMatch(secret)
})

test('an order that the gateway refuses is not tried again', async () => {
  await using shop = await started()
  shop.sandbox.fault({ route: 'POST /payins/{idPayin}', action: { kind: 'status', status: 400 } })
  const path = `/orders/${newKey()}`
  await shop.insist(path, tea, ({ status }) => status === 'REFUSED')
  await shop.kill()
  await shop.start()
  expect((await shop.ask(path, tea)).body.status).toBe('REFUSED')
  expect(creates(shop, 'payins')).toHaveLength(1)
})

test('a refusal after a try that nobody answered wants a person, since that try may have been accepted', async () => {
  await using shop = await started()
  const route = 'POST /payins/{idPayin}'
  const stall = shop.sandbox.fault({ route, action: { kind: 'timeout' } })
  const path = `/orders/${newKey()}`
  const order = shop.ask(path, tea).catch(() => undefined)
  await expect.poll(() => stall.hits, patient).toBe(1)
  await shop.kill()
  await order
  shop.sandbox.fault({ route, action: { kind: 'status', status: 400 } })
  await shop.start()
  await shop.insist(path, undefined, ({ status }) => status === 'CHECKING')
  expect(creates(shop, 'payins')).toHaveLength(2)
})

test('an order whose file is damaged stops the shop before it does anything', async () => {
  await using shop = await started()
  const path = await paid(shop)
  await shop.kill()
  const [name = ''] = readdirSync(shop.orders)
  const file = join(shop.orders, name)
  const stored = readFileSync(file, 'utf8')
  writeFileSync(file, stored.slice(9))
  await shop.start()
  expect(shop.isRunning).toBe(false)
  expect(shop.errors).toMatch(/orders\/\w+\.json is damaged, .* Nothing was changed/)
  writeFileSync(file, stored)
  await shop.start()
  expect((await shop.ask(path)).body.status).toBe('SUCCESS')
})

test('says what is wrong in the words of a customer, and asks the gateway for nothing', async () => {
  await using shop = await started()
  const key = newKey()
  const wrong: readonly (readonly [path: string, body: unknown, status: number, type?: string])[] = [
    [`/orders/${key}`, { ...tea, quantity: 0 }, 400],
    [`/orders/${key}`, { ...tea, quantity: '2' }, 400],
    [`/orders/${key}`, { ...tea, quantity: 21 }, 400],
    [`/orders/${key}`, { ...tea, bank: {} }, 400],
    [`/orders/${key}`, { ...tea, account: { accountName: 'Jana Example' } }, 400],
    [`/orders/${key}`, 7, 400],
    ['/orders/short', tea, 400],
    ['/orders/my-order-00000001', tea, 400],
    ['/banks?cents=1.5', undefined, 400],
    [`/orders/${key}`, undefined, 404],
    ['//', undefined, 404],
    [`/orders/${key}`, { ...tea, note: 'x'.repeat(10_000) }, 413],
    // What a browser lets another site send.
    [`/orders/${key}`, tea, 415, 'text/plain'],
    [`/orders/${key}`, tea, 415, 'application/x-www-form-urlencoded'],
  ]
  for (const [path, body, status, type] of wrong) {
    const response = await shop.ask(path, body, type === undefined ? {} : { 'content-type': type })
    expect(response.status, `${path} ${JSON.stringify(body)}`).toBe(status)
    if (status !== 400) continue
    expect(response.body.message).toMatch(/^[A-Z].*\.$/)
    expect(response.body.message).not.toMatch(/payin|payout|POST|GET|[{}_]/)
  }
  expect(shop.sandbox.requests).toEqual([])
})

test('callbacks find the shop where its address ends with a slash', async () => {
  await using shop = await ShopProcess.open({ publicUrl: (url) => `${url}//` })
  await shop.start()
  await paid(shop)
  // One that is under way has no response yet.
  const answers = () => shop.sandbox.callbacks.map(({ response }) => response)
  await expect.poll(() => answers().length > 0 && answers().every((one) => one === 204), patient).toBe(true)
})

test('without GATEWAY_LIVE the shop says in one sentence what to set, and does not start', async () => {
  const { code, stdout, stderr } = await runNode(['examples/demo-shop/server.mjs'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^The shop .* GATEWAY_LIVE [^\n]*\.\n$/)
})
