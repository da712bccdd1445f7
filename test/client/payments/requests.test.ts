import { describe, expect, it } from 'vitest'
import { serialise } from '../../../src/client/input/values.js'
import { prepareCreate } from '../../../src/client/payments/requests.js'
import type { PayinCreateInput } from '../../../src/client/schemas/payins.js'
import { caught } from '../../support/caught.js'

const valid: PayinCreateInput = {
  paymentRequested: { money: { amount: '10.50', currencyCode: 'EUR' } },
  paymentMethod: {
    account: { accountName: 'Jane Roe', accountNumber: '0012345678' },
    paymentMethodCode: 'VAPAY',
    paymentOperatorCode: 'BANK_A',
    emailAddress: 'jane@shop.example',
  },
  callbackUrl: 'https://shop.example/callbacks',
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('a create request is serialised as it was given', () => {
  it('byte for byte, with the keys in the caller’s order, the id out of the body and the amount a number', () => {
    expect(prepareCreate('payin', { idPayin: 'order-1', ...valid })).toEqual({
      id: 'order-1',
      callbackUrl: 'https://shop.example/callbacks',
      givenId: true,
      body:
        '{"paymentRequested":{"money":{"amount":10.5,"currencyCode":"EUR"}},' +
        '"paymentMethod":{"account":{"accountName":"Jane Roe","accountNumber":"0012345678"},' +
        '"paymentMethodCode":"VAPAY","paymentOperatorCode":"BANK_A","emailAddress":"jane@shop.example"},' +
        '"callbackUrl":"https://shop.example/callbacks"}',
      money: { amount: 10.5, currencyCode: 'EUR' },
    })
  })

  it('a UUID is made where no id was given, another one each time', () => {
    const first = prepareCreate('payout', valid)
    const second = prepareCreate('payout', valid)
    expect(first.id).toMatch(uuid)
    expect(first.givenId).toBe(false)
    expect(second.id).not.toBe(first.id)
    expect(second.body).toBe(first.body)
  })

  it('the caller’s object is left as it was', () => {
    const request = structuredClone(valid)
    prepareCreate('payin', request)
    expect(request).toEqual(valid)
  })
})

/** A request with something else in it, as JavaScript may send it. */
function loose(json: string): PayinCreateInput {
  return { ...valid, ...JSON.parse(json) }
}

describe('what is certainly wrong is refused before anything is sent', () => {
  it('an id that is undefined would make every retry another payment, and the sentence says what to do', async () => {
    const error = await caught(() =>
      prepareCreate('payout', Object.assign({}, valid, { idPayout: undefined })),
    )
    expect(error.message).toBe(
      'idPayout is undefined: store an id with your order before you call, and give that one, since a retry under another id would pay twice; nothing was sent.',
    )
  })

  it.each([
    ['payout', 'idPayin'],
    ['payin', 'idPayout'],
  ] as const)('a %s refuses %s, under which every retry would be another payment', async (kind, field) => {
    const error = await caught(() => prepareCreate(kind, Object.assign({}, valid, { [field]: 'order-1' })))
    expect(error).toMatchObject({ code: 'invalid_input', field })
  })

  it.each([null, undefined, 'text', 5, []])('a request that is %j', async (request) => {
    const error = await caught(() => prepareCreate('payin', JSON.parse(JSON.stringify(request ?? null))))
    expect(error).toMatchObject({ code: 'invalid_input', field: 'request' })
  })
})

describe('what is not certainly wrong is left to the gateway', () => {
  it.each([
    ['a code that nobody knows', loose('{"paymentMethod":{"paymentMethodCode":"ZZZ"}}')],
    [
      'a currency that nobody knows',
      loose('{"paymentRequested":{"money":{"amount":1,"currencyCode":"ZZZ"}}}'),
    ],
    ['an amount of nothing', loose('{"paymentRequested":{"money":{"amount":0,"currencyCode":"EUR"}}}')],
    ['no account', loose('{"paymentMethod":{"paymentMethodCode":"X"}}')],
    ['plain http for callbacks', loose('{"callbackUrl":"http://10.0.0.1:8080/cb"}')],
    ['an odd e-mail address', loose('{"paymentMethod":{"emailAddress":"nobody"}}')],
  ])('%s', (_case, request) => {
    expect(() => prepareCreate('payin', request)).not.toThrow()
  })
})

describe('what JSON can not hold', () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  it.each([
    ['a BigInt (peer failure 30)', { ...valid, extra: { priority: 5n } }],
    ['a circle', { ...valid, extra: { circle } }],
  ])('%s is refused with a sentence', async (_case, request) => {
    const error = await caught(() => prepareCreate('payin', request))
    expect(error.code).toBe('invalid_input')
    expect(error.message).toBe("the request holds what JSON can't (a BigInt, or a circle); nothing was sent.")
  })

  it('serialise leaves everything else as JSON has it', () => {
    expect(serialise({ a: undefined, b: new Date(0), c: 'é' })).toBe(
      '{"b":"1970-01-01T00:00:00.000Z","c":"é"}',
    )
  })
})
