import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { isFromPage } from '../../../sandbox/src/desk/control/controls/page-agent.js'
import { SHOP_SIZE, shopPlan } from '../../../sandbox/src/desk/control/controls/shop-plan.js'
import { magicAmounts } from '../../../sandbox/src/index.js'
import { pageOf } from './page.js'

const order = { kind: 'payin', amount: 12.5, currencyCode: 'EUR', operator: 'HARBOUR' }

describe('a payment that the page creates', () => {
  test('is a real request, signed and in the log, and known as one of the page', async () => {
    await using page = await pageOf()
    const { json } = await page.ask('POST', 'create', order)
    expect(json).toMatchObject({
      kind: 'payin',
      status: 200,
      arrived: true,
      held: true,
      message: 'Answered 200.',
    })
    expect(page.sandbox.payins.list()).toMatchObject([
      { money: { amount: 12.5, currencyCode: 'EUR' }, paymentMethodCode: 'VAPAY' },
    ])
    expect(page.sandbox.requests.map(({ route, verdict }) => [route, verdict])).toEqual([
      ['POST /auth-tokens', 'OK'],
      ['POST /payins/{idPayin}', 'OK'],
    ])
    expect(page.sandbox.requests.every(({ headers }) => isFromPage(headers))).toBe(true)
    expect(JSON.stringify(json)).not.toMatch(/eyJ/)
  })

  test.each([
    ['under an id that is taken', { ...order, id: 'order-1' }, { status: 409, held: true }],
    ['whose answer is lost', { ...order, amount: 5001 }, { arrived: false, held: true }],
    ['whose request is lost', { ...order, amount: 5002 }, { arrived: false, held: false }],
    ['that is refused', { ...order, amount: 0 }, { status: 400, held: false }],
    [
      'to an operator that means a refund to nowhere',
      { ...order, kind: 'payout' },
      { status: 200, held: true },
    ],
  ])('%s says what came of it', async (_what, asked, expected) => {
    await using page = await pageOf()
    await page.ask('POST', 'create', { ...order, id: 'order-1' })
    expect((await page.ask('POST', 'create', asked)).json).toMatchObject(expected)
  })

  test.each([
    [{ ...order, kind: 'refund' }, 'kind must be'],
    [{ ...order, amount: '12' }, 'amount must be'],
    [{ ...order, callbackUrl: 7 }, 'callbackUrl must be'],
    [7, 'an object'],
  ])('is not sent when it is none: %j', async (asked, message) => {
    await using page = await pageOf()
    const refused = await page.ask('POST', 'create', asked)
    expect(refused).toMatchObject({ status: 400, json: { message: expect.stringContaining(message) } })
    expect(page.sandbox.requests).toEqual([])
  })

  test('works under every option that changes how a token is asked for', async () => {
    for (const options of [
      { tokenFormat: 'text' as const },
      { tokenField: 'access_token' },
      { timestampUnit: 'milliseconds' as const },
      { basePath: '/api' },
      { strictness: 'specification' as const },
      { clock: 'virtual' as const, startAt: 0 },
    ]) {
      await using page = await pageOf(options)
      expect((await page.ask('POST', 'create', order)).json, JSON.stringify(options)).toMatchObject({
        status: 200,
        held: true,
      })
    }
  })
})

describe('the shop', () => {
  test('has a plan of twenty payments of all kinds', () => {
    const plan = shopPlan(magicAmounts, 'HARBOUR', 'EUR', undefined)
    expect(plan).toHaveLength(SHOP_SIZE)
    expect(new Set(plan.map(({ title }) => title)).size).toBe(SHOP_SIZE)
    expect(plan.filter(({ does }) => does === 'refuse')).toHaveLength(5)
    expect(shopPlan([], 'HARBOUR', 'EUR', undefined)).toHaveLength(SHOP_SIZE)
  })

  test('plays outcomes, refusals, lost answers and callbacks within the limit, and pays nothing twice', async () => {
    const received: string[] = []
    const merchant = createServer((request, response) => {
      received.push(request.method ?? '')
      request.resume()
      response.writeHead(204).end()
    }).listen(0, '127.0.0.1')
    await once(merchant, 'listening')
    const address = merchant.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const options = { clock: 'virtual', startAt: 0, rateLimit: 10, settleAfterMs: 1000 } as const
    await using page = await pageOf(options)
    const { sandbox, ask } = page
    const opened = await ask('POST', 'shop', { callbackUrl: `http://127.0.0.1:${port}/` })
    expect(opened.json).toMatchObject({ shop: { done: 0, of: SHOP_SIZE } })
    expect((await ask('POST', 'shop', {})).status).toBe(409)
    await expect
      .poll(async () => (await ask('GET', 'state')).json, { timeout: 10_000 })
      .toMatchObject({ shop: null })
    await sandbox.clock.advance(60_000)

    const verdicts = new Set(sandbox.requests.map(({ verdict }) => verdict))
    for (const code of [
      'OK',
      'ALREADY_ACCEPTED',
      'SIGNATURE_INVALID',
      'TOKEN_MISSING',
      'OUT_OF_SCOPE',
      'INVALID_MONEY',
      'VERSION_UNSUPPORTED',
    ]) {
      expect(verdicts, code).toContain(code)
    }
    expect(verdicts).not.toContain('TOO_MANY_REQUESTS')
    const payments = [...sandbox.payins.list(), ...sandbox.payouts.list()]
    expect(payments).toHaveLength(15)
    expect(new Set(payments.map(({ status }) => status))).toEqual(
      new Set(['SUCCESS', 'FAILED', 'EXPIRED', 'PENDING', 'UNDER_REVIEW']),
    )
    expect(received.length).toBeGreaterThan(25)
    merchant.closeAllConnections()
    merchant.close()
  })

  test('closes when it is told to, and at a new beginning', async () => {
    await using page = await pageOf({ clock: 'virtual', rateLimit: 10 })
    await page.ask('POST', 'shop', {})
    expect((await page.ask('DELETE', 'shop')).json).toMatchObject({ shop: null })
    await page.ask('POST', 'shop', {})
    expect((await page.ask('POST', 'reset', {})).json).toMatchObject({ shop: null })
    expect(page.sandbox.payins.size).toBe(0)
    expect((await page.ask('POST', 'shop', { callbackUrl: 'nowhere' })).status).toBe(400)
  })
})
