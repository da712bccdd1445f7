import { afterEach, describe, expect, test } from 'vitest'
import { GatewayClient, money } from '../../../../../src/index.js'
import type { SandboxOptions } from '../../../src/index.js'
import type { ListWindow, Row } from '../../../src/page/api/payments/listing.js'
import type { PaymentHistory } from '../../../src/page/api/payments/payment-history.js'
import { type PageOf, pageOf } from './page.js'

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]()
})

interface Merchant {
  readonly page: PageOf
  readonly client: GatewayClient
  answer: number
  payin(idPayin: string, amount?: string): Promise<unknown>
  payout(idPayout: string, amount?: string, accountNumber?: string): Promise<unknown>
  history(path: string): Promise<PaymentHistory>
  list(query?: string): Promise<ListWindow<Row>>
}

async function merchant(options: SandboxOptions = {}): Promise<Merchant> {
  const deliver = async () => ({ status: shop.answer })
  const page = await pageOf({ clock: 'virtual', payAfterMs: 1000, deliver, ...options })
  const client = new GatewayClient({ ...page.sandbox.clientOptions(), rateLimit: false })
  open.push(page, { [Symbol.asyncDispose]: () => client.close() })
  const asked = (amount: string, paymentMethodCode: string, accountNumber = '000123-0123456789') => ({
    paymentRequested: { money: money(amount, 'EUR') },
    paymentMethod: {
      paymentMethodCode,
      paymentOperatorCode: 'HARBOUR',
      account: { accountName: 'Jana Example', accountNumber },
    },
    callbackUrl: 'https://shop.example/callbacks',
  })
  const shop: Merchant = {
    page,
    client,
    answer: 204,
    payin: (idPayin, amount = '12.50') => client.payins.create({ idPayin, ...asked(amount, 'VAPAY') }),
    payout: (idPayout, amount = '25.00', account) =>
      client.payouts.create({ idPayout, ...asked(amount, 'BANK_TRANSFER', account) }),
    // The page believes its own server, and so does this test.
    history: async (path) => Object(await page.ask('GET', `payments/${path}`)).json,
    list: async (query = 'offset=0&limit=200') => Object(await page.ask('GET', `payments?${query}`)).json,
  }
  return shop
}

const callbacks = ({ entries }: PaymentHistory) => entries.filter((entry) => entry.type === 'callback')
const requests = ({ entries }: PaymentHistory) => entries.filter((entry) => entry.type === 'request')

describe('the history of a payment', () => {
  test('says in a sentence what happened to it: a lost response that was found again is one payin', async () => {
    const { payin, page, history } = await merchant()
    await payin('order-1', '5001')
    await page.sandbox.clock.advance(1000)
    const found = await history('payin/order-1')
    expect(found.summary).toBe(
      'Paid after 1 s. The response to the create was lost. The client found the payment afterwards. Creates sent again with the same content: 1. Each got 409, and nothing was done twice. One payin. Callbacks delivered: 2.',
    )
    expect(found.magic).toEqual({ by: 'amount 5001', meaning: 'Accepted, and then the connection is reset.' })
    const [first] = requests(found).filter(({ method, isMint }) => method === 'POST' && !isMint)
    expect(first).toMatchObject({
      status: 200,
      verdict: 'OK',
      arrival: 'reset',
      what: 'The payin was accepted. Fault: process it, then reset the connection.',
      fault: { kind: 'drop-after', by: 'amount 5001' },
    })
  })

  test('says of a repeated create and of a conflict what the requests say of them', async () => {
    const { payin, history } = await merchant({ payAfterMs: false })
    await payin('order-1')
    await payin('order-1')
    await payin('order-1', '13.00').catch(() => 'conflict')
    const creates = requests(await history('payin/order-1')).filter(({ status }) => status === 409)
    expect(creates).toMatchObject([
      { isHarmless: true, what: expect.stringContaining('asks for the same') },
      { isHarmless: false, what: expect.stringContaining('What differs: the money.') },
    ])
  })

  test('remembers what forced each change', async () => {
    const { payin, page, history } = await merchant({ payAfterMs: false })
    for (const id of ['page', 'code']) await payin(id)
    await payin('magic', '4005')
    await page.sandbox.clock.advance(10)
    await page.ask('POST', 'payments/payin/page/status', { status: 'SUCCESS' })
    page.sandbox.payins.get('code').setStatus('FAILED')
    const causes = async (id: string) =>
      (await history(`payin/${id}`)).entries.flatMap((entry) =>
        entry.type === 'status' ? [entry.cause] : [],
      )
    expect(await causes('page')).toEqual(['gateway', 'gateway', 'page'])
    expect(await causes('code')).toEqual(['gateway', 'gateway', 'code'])
    expect(await causes('magic')).toEqual(['gateway', 'gateway', 'magic'])
  })

  test('has callbacks in full: what was sent, how long it took, when it is tried again, that it was given up', async () => {
    const shop = await merchant({
      callbackTries: 3,
      callbackRetryAfterMs: 1000,
      callbackBody: () => ({ event: 'x' }),
    })
    shop.answer = 500
    await shop.payin('order-1')
    await shop.page.sandbox.clock.advance(0)
    const [first] = callbacks(await shop.history('payin/order-1'))
    expect(first).toMatchObject({
      response: 500,
      method: 'POST',
      body: '{\n  "event": "x"\n}',
      source: 'change',
      fix: expect.stringContaining('log of the receiver'),
    })
    expect(first?.headers).toContainEqual(['content-type', 'application/json'])
    expect(first?.tookMs).toBeGreaterThanOrEqual(0)
    expect((first?.nextTryAt ?? 0) - (first?.at ?? 0)).toBe(1000)
    await shop.page.sandbox.clock.advance(100_000)
    const found = await shop.history('payin/order-1')
    expect(
      callbacks(found)
        .filter(({ isGivenUp }) => isGivenUp)
        .map(({ attempt }) => attempt),
    ).toEqual([3, 3])
    expect(found.summary).toMatch(
      /The callback for SUCCESS failed 3 times \(response 500\) and is not sent again: the merchant was not notified\.$/,
    )
    expect((await shop.list()).rows[0]).toMatchObject({ status: 'SUCCESS', callbacks: 'failed' })
    expect((await shop.list('search=callback%20failed')).rows).toMatchObject([{ id: 'order-1' }])
    shop.answer = 204
    await shop.page.ask('POST', 'payments/payin/order-1/callback', {})
    await shop.page.sandbox.idle()
    expect(callbacks(await shop.history('payin/order-1')).at(-1)).toMatchObject({
      source: 'page',
      response: 204,
    })
    expect((await shop.list()).rows[0]).toMatchObject({ callbacks: 'delivered' })
  })

  test('shows a callback that a fault withheld, and one that it sent twice', async () => {
    const { payin, page, history, list } = await merchant()
    await payin('none', '7001')
    page.sandbox.callbackFault({ id: 'two', action: { kind: 'twice' } })
    await payin('two')
    await page.sandbox.clock.advance(1000)
    expect(callbacks(await history('payin/none'))[0]).toMatchObject({
      isWithheld: true,
      response: null,
      fault: { kind: 'missing', by: 'amount 7001' },
    })
    expect(page.sandbox.callbacks.filter(({ id }) => id === 'none')).toEqual([])
    expect(callbacks(await history('payin/two')).map(({ fault }) => fault?.by ?? null)).toEqual([
      'a fault that was added',
      'a fault that was added',
      null,
    ])
    expect((await list()).rows.map((row) => 'callbacks' in row && row.callbacks)).toEqual([
      'delivered',
      'none',
    ])
  })

  test('keeps its beginning, however much comes after it', async () => {
    const { payin, page, history } = await merchant({ maxLogged: 50 })
    await payin('order-1')
    const { sandbox } = page
    for (let count = 0; count < 500; count += 1) sandbox.payins.get('order-1').setStatus(`S${count % 3}`)
    await sandbox.clock.advance(1)
    const long = await history('payin/order-1')
    expect(long.entries).toHaveLength(400)
    expect(long.omitted).toBeGreaterThan(0)
    expect(long.entries.slice(0, 3)).toMatchObject([
      { path: '/auth-tokens' },
      { path: '/payins/order-1' },
      { status: 'CREATED' },
    ])
    expect(long.entries.findLast(({ type }) => type === 'status')).toMatchObject({ status: 'S1' })
  })
})
