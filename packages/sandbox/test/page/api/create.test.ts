import { describe, expect, test } from 'vitest'
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
      message: 'Response 200.',
    })
    expect(page.sandbox.payins.list()).toMatchObject([
      { money: { amount: 12.5, currencyCode: 'EUR' }, paymentMethodCode: 'VAPAY' },
    ])
    expect(page.sandbox.requests.map(({ route, verdict }) => [route, verdict])).toEqual([
      ['POST /auth-tokens', 'OK'],
      ['POST /payins/{idPayin}', 'OK'],
    ])
    for (const number of [1, 2]) {
      expect(await page.ask('GET', `requests/${number}`)).toMatchObject({ json: { isFromPage: true } })
    }
    expect(JSON.stringify(json)).not.toMatch(/eyJ/)
  })

  test.each([
    ['under an id that is taken', { ...order, id: 'order-1' }, { status: 409, held: true }],
    ['whose response is lost', { ...order, amount: 5001 }, { arrived: false, held: true }],
    ['whose request is lost', { ...order, amount: 5002 }, { arrived: false, held: false }],
    ['that is refused', { ...order, amount: 0 }, { status: 400, held: false }],
    ['of a payout', { ...order, kind: 'payout' }, { status: 200, held: true }],
  ])('%s says what happened', async (_what, asked, expected) => {
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
