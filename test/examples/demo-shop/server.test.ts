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

/** An object that can be made neither a text nor a number. */
const unprintable = { toString: 1, valueOf: 1 }

/** Under load, an answer may come before the gateway's. */
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

test('ten orders with one key, all at once and in other words, are one order and one payin', async () => {
  await using shop = await started()
  const path = `/orders/${newKey()}`
  const bodies = Array.from({ length: 10 }, (_, index) => ({ ...tea, quantity: index + 1 }))
  const answers = await Promise.all(bodies.map((body) => shop.ask(path, body)))
  expect(new Set(answers.map(({ body }) => body.number)).size).toBe(1)
  expect(new Set(answers.map(({ body }) => body.cents)).size).toBe(1)
  await shop.insist(path, undefined, isToPay)
  expect(shop.sandbox.payins.size).toBe(1)
  expect(creates(shop, 'payins')).toHaveLength(1)
})

test('a customer sees the order, and neither the account nor an id of the gateway', async () => {
  await using shop = await started()
  const path = await paid(shop)
  const { body } = await shop.ask(path)
  expect(body).toMatchObject({
    number: expect.stringMatching(/^HT-\w{4}-\w{4}$/),
    cents: 1960,
    quantity: 2,
    accountEnd: '6789',
    payTo: { bank: 'Harbour Bank', reference: expect.stringMatching(/^\d{12}$/) },
  })
  const text = JSON.stringify(body)
  for (const secret of secrets) expect(text).not.toMatch(secret)
  expect(text).not.toContain(shop.sandbox.payins.list()[0]?.id)
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

test('a callback that comes before the answer to the create is not lost', async () => {
  await using shop = await started()
  shop.sandbox.fault({ route: 'POST /payins/{idPayin}', action: { kind: 'callback-first' } })
  const order = await shop.insist(`/orders/${newKey()}`, tea, isToPay)
  expect(order).toMatchObject({ status: 'PENDING', payTo: { bank: 'Harbour Bank' } })
  expect(shop.sandbox.callbacks.map(({ response }) => response)).toEqual([204])
})

test('an order hears of its payment without any callback', async () => {
  await using shop = await started()
  shop.sandbox.callbackFault({ kind: 'payin', times: 9, action: { kind: 'missing' } })
  const path = `/orders/${newKey()}`
  await shop.insist(path, tea, isToPay)
  shop.sandbox.payins.list()[0]?.pay()
  await shop.insist(path, undefined, ({ status }) => status === 'SUCCESS')
  expect(shop.sandbox.callbacks).toEqual([])
})

test('a refund goes once, to the account that paid, whoever asks and whatever account they name', async () => {
  await using shop = await started()
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
  for (const amount of ['15.11', '0', '0.00']) {
    expect(await shop.ask(`${path}/refund`, { number: 2, amount }), amount).toMatchObject({ status: 409 })
  }
  for (const amount of ['', '1.005', '-1', '1e1', '1,50', ' 1', 1.5, unprintable]) {
    expect(await shop.ask(`${path}/refund`, { number: 2, amount }), JSON.stringify(amount)).toMatchObject({
      status: 400,
      body: { message: 'Please write an amount such as 4.50.' },
    })
  }
  for (const number of ['2', null, unprintable]) {
    expect(await shop.ask(`${path}/refund`, { number, amount: '1' })).toMatchObject({ status: 400 })
  }
  for (const number of [3, 0, 1.5]) {
    expect(await shop.ask(`${path}/refund`, { number, amount: '1' }), String(number)).toMatchObject({
      status: 409,
    })
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

test('an order that is not paid is not refunded', async () => {
  await using shop = await started()
  const path = `/orders/${newKey()}`
  await shop.insist(path, tea)
  expect(await shop.ask(`${path}/refund`, {})).toMatchObject({ status: 409 })
  expect(shop.sandbox.payouts.size).toBe(0)
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

test('Ctrl-C ends it, and what was under way goes on at the next start', async () => {
  await using shop = await started()
  const route = 'POST /payins/{idPayin}'
  const stall = shop.sandbox.fault({ route, action: { kind: 'timeout', processed: true } })
  const path = `/orders/${newKey()}`
  const order = shop.ask(path, tea).catch(() => undefined)
  await expect.poll(() => stall.hits, patient).toBe(1)
  expect(await shop.kill('SIGINT')).toBe(0)
  await order
  await shop.insist(path, undefined, ({ payTo }) => payTo !== null)
  expect(shop.sandbox.payins.size).toBe(1)
})

const bodies: readonly [string, unknown][] = [
  ['nothing', { ...tea, quantity: 0 }],
  ['no number', { ...tea, quantity: '2' }],
  ['too many', { ...tea, quantity: 21 }],
  ['half a one', { ...tea, quantity: 0.5 }],
  ['no bank', { ...tea, bank: {} }],
  ['no account', { ...tea, account: { accountName: 'Jana Example' } }],
  ['a number that is none', { ...tea, quantity: unprintable }],
  ['no order at all', 7],
]

test('says what is wrong in the words of a customer, and asks the gateway for nothing', async () => {
  await using shop = await started()
  for (const [what, body] of bodies) {
    const answer = await shop.ask(`/orders/${newKey()}`, body)
    expect(answer, what).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^[A-Z].*\.$/) },
    })
    expect(answer.body.message, what).not.toMatch(/payin|payout|POST|GET|[{}_]/)
  }
  for (const key of ['short', 'my-order-00000001', 'x'.repeat(65)]) {
    expect(await shop.ask(`/orders/${key}`, tea), key).toMatchObject({ status: 400 })
  }
  for (const cents of ['', '0', '1.5', '-1', '1e99']) {
    expect(await shop.ask(`/banks?cents=${cents}`), cents).toMatchObject({ status: 400 })
  }
  expect(await shop.ask(`/orders/${newKey()}`)).toMatchObject({ status: 404 })
  expect(shop.sandbox.requests).toEqual([])
})

test('takes its own price, whatever the browser says', async () => {
  await using shop = await started()
  const order = await shop.insist(`/orders/${newKey()}`, { ...tea, cents: 1, amount: '0.01' }, isToPay)
  expect(order.cents).toBe(1960)
  expect(shop.sandbox.payins.list()[0]?.money).toEqual({ amount: 19.6, currencyCode: 'EUR' })
})

test('refuses the content types that a browser lets another site send', async () => {
  await using shop = await started()
  const path = `/orders/${newKey()}`
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']) {
    expect(await shop.ask(path, tea, { 'content-type': type }), type).toMatchObject({ status: 415 })
  }
  expect(shop.sandbox.requests).toEqual([])
})

test('refuses what is too long, and an address that is none', async () => {
  await using shop = await started()
  const long = { ...tea, note: 'x'.repeat(10_000) }
  expect(await shop.ask(`/orders/${newKey()}`, long)).toMatchObject({ status: 413 })
  expect(await shop.ask('//')).toMatchObject({ status: 404 })
  expect(shop.sandbox.requests).toEqual([])
})

test('callbacks find the shop where its address ends with a slash', async () => {
  await using shop = await ShopProcess.open({ publicUrl: (url) => `${url}//` })
  await shop.start()
  await paid(shop)
  // One that is under way has no answer yet.
  const answers = () => shop.sandbox.callbacks.map(({ response }) => response)
  await expect.poll(() => answers().length > 0 && answers().every((one) => one === 204), patient).toBe(true)
})

test('without GATEWAY_LIVE the shop says in one sentence what to set, and does not start', async () => {
  const { code, stdout, stderr } = await runNode(['examples/demo-shop/server.mjs'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^The shop .* GATEWAY_LIVE [^\n]*\.\n$/)
})
