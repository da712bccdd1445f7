import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { runNode, secrets } from '../support.js'
import { newKey, ShopProcess, tea, type View } from './shop.js'

// Each test waits for a whole process, or two.
vi.setConfig({ testTimeout: 120_000 })
const patient = { interval: 10, timeout: 20_000 }

async function started(): Promise<ShopProcess> {
  const shop = await ShopProcess.open()
  await shop.start()
  return shop
}

const isPaid = ({ status }: View) => status === 'SUCCESS'
const isToPay = ({ status, payTo }: View) => status === 'PENDING' && payTo !== null
const isShared = ({ payouts }: View) => payouts[0]?.status === 'PENDING'

/** Ordered and paid. @returns the order's path */
async function paid(shop: ShopProcess): Promise<string> {
  const path = `/orders/${newKey()}`
  await shop.insist(path, tea, isToPay)
  shop.sandbox.payins.list()[0]?.pay()
  await shop.insist(path, undefined, isPaid)
  return path
}

const creates = ({ sandbox }: ShopProcess, kind: 'payins' | 'payouts') =>
  sandbox.requests.filter(({ method, path }) => method === 'POST' && path.startsWith(`/${kind}/`))

test('ten orders with one key, all at once and in other words, are one order at the price of the shop', async () => {
  await using shop = await started()
  const path = `/orders/${newKey()}`
  const asked = (quantity: number) => shop.ask(path, { quantity, cents: 1, amount: '0.01' })
  const responses = await Promise.all(Array.from({ length: 10 }, (_, index) => asked(index + 1)))
  expect(new Set(responses.map(({ body }) => body.cents)).size).toBe(1)
  const order = await shop.insist(path, undefined, isToPay)
  expect(order.payTo).toMatchObject({ reference: expect.stringMatching(/^\d{12}$/) })
  expect(creates(shop, 'payins')).toHaveLength(1)
  expect(shop.sandbox.payins.list()[0]?.money.amount).toBe(order.cents / 100)
  for (const secret of secrets) expect(JSON.stringify(order)).not.toMatch(secret)
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
  await shop.insist(path, undefined, isPaid)
  expect(shop.sandbox.callbacks.filter(({ kind }) => kind === 'payin')).toHaveLength(1)
})

test('the tea garden gets its share once, when the order is paid, however often the callback comes', async () => {
  await using shop = await started()
  const path = `/orders/${newKey()}`
  await shop.insist(path, tea, isToPay)
  expect(creates(shop, 'payouts')).toEqual([])
  shop.sandbox.callbackFault({ kind: 'payin', action: { kind: 'twice' } })
  shop.sandbox.payins.list()[0]?.pay()
  await shop.insist(path, undefined, isShared)
  shop.sandbox.payins.list()[0]?.sendCallback({ times: 3 })
  await shop.sandbox.idle()
  const [payout, ...others] = creates(shop, 'payouts')
  expect(others).toEqual([])
  expect(JSON.parse(payout?.bodyText ?? '').paymentRequested.money).toEqual({
    amount: 12,
    currencyCode: 'EUR',
  })
  shop.sandbox.payouts.list()[0]?.pay()
  const order = await shop.insist(path, undefined, ({ payouts }) => payouts[0]?.status === 'SUCCESS')
  expect(order).toMatchObject({ shipments: 1, payouts: [{ cents: 1200 }] })
})

test('a share whose first create is answered 409, because it arrived twice, is followed like any other', async () => {
  await using shop = await started()
  shop.sandbox.fault({ route: 'POST /payouts/{idPayout}', action: { kind: 'overtaken' } })
  const path = await paid(shop)
  await expect.poll(() => shop.sandbox.payouts.size, patient).toBe(1)
  shop.sandbox.payouts.list()[0]?.pay()
  await shop.insist(path, undefined, ({ payouts }) => payouts[0]?.status === 'SUCCESS')
})

test('a share that the gateway does not take is there after a restart, and is sent when it can be', async () => {
  await using shop = await started()
  const route = 'POST /payouts/{idPayout}'
  const action = { kind: 'status', status: 503 } as const
  const fault = shop.sandbox.fault({ route, times: Number.POSITIVE_INFINITY, action })
  const path = await paid(shop)
  await expect.poll(() => fault.hits, patient).toBeGreaterThan(0)
  await shop.kill()
  await shop.start()
  expect((await shop.ask(path)).body).toMatchObject({ shipments: 1, payouts: [{ status: 'PREPARING' }] })
  fault.remove()
  await shop.insist(path, undefined, isShared)
  expect(shop.sandbox.payouts.size).toBe(1)
})

test('an order whose payment fails says so, ships nothing, and pays nobody', async () => {
  await using shop = await started()
  const path = `/orders/${newKey()}`
  await shop.insist(path, tea, isToPay)
  shop.sandbox.payins.list()[0]?.setStatus('FAILED')
  const order = await shop.insist(path, undefined, ({ status }) => status === 'FAILED')
  expect(order).toMatchObject({ shipments: 0, payouts: [] })
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
  writeFileSync(file, stored)
  await shop.start()
  expect((await shop.ask(path)).body.status).toBe('SUCCESS')
})

test('says what is wrong in the words of a customer, and asks the gateway for nothing', async () => {
  await using shop = await started()
  const key = newKey()
  const wrong: readonly (readonly [path: string, body: unknown, status: number, type?: string])[] = [
    [`/orders/${key}`, { quantity: 0 }, 400],
    [`/orders/${key}`, { quantity: '2' }, 400],
    [`/orders/${key}`, { quantity: 1.5 }, 400],
    [`/orders/${key}`, { quantity: 21 }, 400],
    [`/orders/${key}`, 7, 400],
    ['/orders/short', tea, 400],
    [`/orders/${key}`, undefined, 404],
    ['//', undefined, 404],
    [`/orders/${key}`, { ...tea, note: 'x'.repeat(10_000) }, 400],
    // What a browser lets another site send.
    [`/orders/${key}`, tea, 400, 'text/plain'],
    [`/orders/${key}`, tea, 400, 'application/x-www-form-urlencoded'],
  ]
  for (const [path, body, status, type] of wrong) {
    const response = await shop.ask(path, body, type === undefined ? {} : { 'content-type': type })
    expect(response.status, `${path} ${JSON.stringify(body)}`).toBe(status)
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
