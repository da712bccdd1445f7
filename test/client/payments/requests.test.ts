import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prepareCreate } from '../../../src/client/payments/requests.js'
import type { PayinCreateInput } from '../../../src/client/schemas/payins.js'
import { caught } from '../../support/caught.js'
import { testClient } from '../../support/gateway.js'

const complete = {
  paymentRequested: { money: { amount: '10.50', currencyCode: 'EUR' } },
  paymentMethod: {
    paymentMethodCode: 'BANK_TRANSFER',
    paymentOperatorCode: 'BANK_A',
    emailAddress: 'jane@shop.example',
    account: { accountName: 'Jane Roe', accountNumber: '0012345678' },
  },
  callbackUrl: 'https://shop.example/callbacks',
}

const levels = ['', 'paymentRequested', 'paymentRequested.money', 'paymentMethod', 'paymentMethod.account']
const under = (level: string, name: string) => (level === '' ? name : `${level}.${name}`)

function pick(level: string, from: object): Record<string, unknown> {
  let found: unknown = from
  for (const name of level.split('.').filter((part) => part !== '')) found = Object(found)[name]
  return Object(found)
}

/** A request with these fields at one of its levels, as JavaScript may send it. */
function withFields(level: string, fields: object): typeof complete {
  const request = structuredClone(complete)
  Object.defineProperties(pick(level, request), Object.getOwnPropertyDescriptors(fields))
  return request
}

const refusal = (kind: 'payin' | 'payout', level: string, fields: object) =>
  caught(() => prepareCreate(kind, withFields(level, fields)))

describe('a create request is serialised as it was given', () => {
  it('byte for byte, in the caller’s order, the id out of the body and the amount a number', () => {
    const request = structuredClone(complete)
    expect(prepareCreate('payin', Object.assign({ idPayin: 'order-1' }, request))).toEqual({
      id: 'order-1',
      callbackUrl: 'https://shop.example/callbacks',
      givenId: true,
      body:
        '{"paymentRequested":{"money":{"amount":10.5,"currencyCode":"EUR"}},' +
        '"paymentMethod":{"paymentMethodCode":"BANK_TRANSFER","paymentOperatorCode":"BANK_A",' +
        '"emailAddress":"jane@shop.example",' +
        '"account":{"accountName":"Jane Roe","accountNumber":"0012345678"}},' +
        '"callbackUrl":"https://shop.example/callbacks"}',
      money: { amount: 10.5, currencyCode: 'EUR' },
    })
    expect(request).toEqual(complete)
  })

  it('a UUID is made where no id was given, another one each time', () => {
    const [first, second] = [prepareCreate('payout', complete), prepareCreate('payout', complete)]
    expect(first.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect([first.givenId, second.id === first.id, second.body]).toEqual([false, false, first.body])
  })

  it.each([
    [1e-7, '0.0000001'],
    ['0.0000001', '0.0000001'],
    ['999999999999999', '999999999999999'],
  ])('the amount %s goes out as %s', (amount, sent) => {
    const money = { amount, currencyCode: 'XYZ' }
    const { body } = prepareCreate('payout', { ...complete, paymentRequested: { money } })
    expect(body).toContain(`"money":{"amount":${sent},"currencyCode"`)
  })
})

describe('a field that is spelled wrong is refused with the one that was meant', () => {
  it.each([
    ['', 'callbackURL', 'callbackUrl'],
    ['', 'callback-url', 'callbackUrl'],
    ['', 'callbackUlr', 'callbackUrl'],
    ['', 'callback', 'callbackUrl'],
    ['', 'idPayot', 'idPayout'],
    ['', 'Extra', 'extra'],
    ['paymentRequested', 'Money', 'paymentRequested.money'],
    ['paymentRequested.money', 'ammount', 'paymentRequested.money.amount'],
    ['paymentMethod', 'email', 'paymentMethod.emailAddress'],
    ['paymentMethod.account', 'account_number', 'paymentMethod.account.accountNumber'],
    // Right, and in the wrong place.
    ['', 'emailAddress', 'paymentMethod.emailAddress'],
    ['paymentMethod', 'accountNumber', 'paymentMethod.account.accountNumber'],
  ])('%s: %s', async (level, name, meant) => {
    const error = await refusal('payout', level, { [name]: 'x' })
    expect(error).toMatchObject({ code: 'invalid_input', field: under(level, name), outcome: 'not-accepted' })
    expect(error.message).toBe(
      `${under(level, name)} is not a field of a payout; did you mean ${meant}? nothing was sent.`,
    )
  })

  it.each(levels)('and one that resembles none is told of extra, whatever its value: %s', async (level) => {
    for (const value of [1, undefined, null, '', false]) {
      const error = await refusal('payout', level, { zzz: value })
      expect(error.message).toBe(
        `${under(level, 'zzz')} is not a field of a payout that this version knows; one that the gateway has added goes into ${under(level, 'extra')}; nothing was sent.`,
      )
    }
  })

  it('returnUrl is a payin’s', async () => {
    const fields = { returnUrl: 'https://shop.example/thanks' }
    expect(() => prepareCreate('payin', withFields('', fields))).not.toThrow()
    expect(await refusal('payout', '', fields)).toMatchObject({ field: 'returnUrl' })
  })

  it('a name that no program would use is not repeated', async () => {
    for (const name of ['jane@shop.example', '0012345678', `-----BEGIN ${'x'.repeat(20)}`, 'a'.repeat(100)]) {
      const error = await refusal('payin', 'paymentMethod', { [name]: 1 })
      expect(error.field).toBe('paymentMethod.(not shown)')
      expect(`${error.message}${JSON.stringify(error)}`).not.toContain(name)
    }
  })

  it('the error still has the id of the payment', async () => {
    const fields = { calbackUrl: 'x', idPayout: 'w-1' }
    expect(await refusal('payout', '', fields)).toMatchObject({ idPayout: 'w-1' })
    expect(await refusal('payout', '', { zzz: 1 })).not.toHaveProperty('idPayout')
  })
})

describe('an id under another name would be made anew at every call, and is refused with the reason', () => {
  const ids = [
    ...['id', 'ID', 'idempotencyKey', 'Idempotency-Key', 'idPayment', 'paymentId', 'payout_id', 'orderId'],
    ...['merchant_order_id', 'transactionId', 'requestId', 'reference', 'uuid', 'idpayout', 'id_payin'],
  ]
  const kinds = { payout: 'idPayout', payin: 'idPayin' } as const

  it.each(ids)('%s, nor does it travel in extra', async (name) => {
    for (const kind of ['payout', 'payin'] as const) {
      const { message } = await refusal(kind, '', { [name]: 'w-1' })
      expect(message).toBe(
        `${name} is not a field of a ${kind}, whose id is ${kinds[kind]}: under another name a fresh id would be made at every call, and a retry would pay twice; nothing was sent.`,
      )
    }
    for (const level of levels) {
      const { field } = await refusal('payout', level, { extra: { [name]: 'w-1' } })
      expect(field).toBe(under(level, `extra.${name}`))
    }
  })

  it.each([
    ['payout', 'idPayin'],
    ['payin', 'idPayout'],
  ] as const)('a %s refuses %s', async (kind, field) => {
    expect(await refusal(kind, '', { [field]: 'order-1' })).toMatchObject({ code: 'invalid_input', field })
  })

  it('one that is undefined is refused, and the sentence says what to do', async () => {
    expect((await refusal('payout', '', { idPayout: undefined })).message).toBe(
      'idPayout is undefined: store an id with your order before you call, and give that one, since a retry under another id would pay twice; nothing was sent.',
    )
  })

  it('but the id of a class or a template is the id, however it came there', () => {
    class Withdrawal {
      readonly paymentRequested = complete.paymentRequested
      readonly paymentMethod = complete.paymentMethod
      get idPayout() {
        return 'w-1'
      }
    }
    for (const request of [new Withdrawal(), Object.assign(Object.create({ idPayout: 'w-1' }), complete)])
      expect(prepareCreate('payout', request)).toMatchObject({ id: 'w-1' })
  })

  it('has at most 255 characters, in a lookup too, unless maxIdLength allows more', async () => {
    const idPayout = 'x'.repeat(256)
    const { payouts } = testClient({ fetch: () => expect.fail('sent') })
    const calls = [
      () => payouts.create({ idPayout, ...complete }),
      () => payouts.retrieve(idPayout),
      () => payouts.waitFor(idPayout, { maxWaitMs: 1 }),
    ]
    for (const call of calls) {
      const error = await caught(call)
      expect(error).toMatchObject({ code: 'invalid_input', field: 'idPayout' })
      expect(error.message).toContain('at most 255 characters, and has 256 (option maxIdLength)')
    }
    const request = Object.assign({ idPayout }, complete)
    expect(prepareCreate('payout', request, {}, undefined, 256)).toMatchObject({ id: idPayout })
  })
})

describe('extra', () => {
  it.each(levels)('holds no field that has a place of its own: %s', async (level) => {
    for (const name of Object.keys(pick(level, complete))) {
      const snake = name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
      for (const spelled of [name, name.toUpperCase(), snake]) {
        const error = await refusal('payout', level, { extra: { [spelled]: 1 } })
        expect(error.field).toBe(under(level, `extra.${spelled}`))
        expect(error.message).toContain(`give it as ${under(level, name)}`)
      }
    }
  })

  it.each([
    null,
    'text',
    5,
    [],
    JSON.parse('{"__proto__":{"a":1}}'),
    { [Symbol('a')]: 1 },
    { toJSON: () => 1 },
  ])('must be an object of fields that JSON can hold: %o', async (extra) => {
    expect(await refusal('payin', '', { extra })).toMatchObject({ code: 'invalid_input' })
  })

  it('carries anything that JSON holds, at any level, beside what is known', () => {
    // Letters that no field and no id of ours begin with.
    const name = fc.stringMatching(/^zz[a-z]{2,10}$/)
    const plain = JSON.parse(prepareCreate('payin', complete).body)
    fc.assert(
      fc.property(fc.constantFrom(...levels), fc.dictionary(name, fc.jsonValue()), (level, extra) => {
        const sent = JSON.parse(prepareCreate('payin', withFields(level, { extra })).body)
        expect(pick(level, sent)).toEqual({ ...pick(level, plain), ...JSON.parse(JSON.stringify(extra)) })
      }),
    )
  })
})

describe('what is certainly wrong is refused before anything is sent', () => {
  it.each([null, 'text', 5, []])('a request that is %j', async (request) => {
    const error = await caught(() => prepareCreate('payin', JSON.parse(JSON.stringify(request))))
    expect(error).toMatchObject({ code: 'invalid_input', field: 'request' })
  })

  const circle: Record<string, unknown> = {}
  circle.self = circle
  it.each([
    ['a BigInt (peer failure 30)', { priority: 5n }],
    ['a circle', { circle }],
  ])('%s', async (_case, extra) => {
    expect((await refusal('payin', '', { extra })).message).toBe(
      "the request holds what JSON can't (a BigInt, or a circle); nothing was sent.",
    )
  })
})

describe('what is not certainly wrong is left to the gateway', () => {
  const money = (amount: number, currencyCode: string) => ({
    paymentRequested: { money: { amount, currencyCode } },
  })
  it.each<readonly [string, Partial<PayinCreateInput>]>([
    ['a code that nobody knows', { paymentMethod: { paymentMethodCode: 'ZZZ' } }],
    ['a currency that nobody knows', money(1, 'ZZZ')],
    ['an amount of nothing', money(0, 'EUR')],
    ['plain http for callbacks', { callbackUrl: 'http://10.0.0.1:8080/cb' }],
    ['an odd e-mail address', { paymentMethod: { paymentMethodCode: 'X', emailAddress: 'nobody' } }],
  ])('%s', (_case, more) => {
    expect(() => prepareCreate('payin', { ...complete, ...more })).not.toThrow()
  })
})
