import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prepareCreate } from '../../../src/client/payments/requests.js'
import { caught } from '../../support/caught.js'

type Fields = Record<string, unknown>

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

/** A request with these fields at one of its levels, as JavaScript may send it. */
function withFields(level: string, fields: object): typeof complete {
  const request = structuredClone(complete)
  let object: object = request
  for (const name of level.split('.').filter((part) => part !== '')) {
    const next: unknown = Reflect.get(object, name)
    if (typeof next === 'object' && next !== null) object = next
  }
  Object.defineProperties(object, Object.getOwnPropertyDescriptors(fields))
  return request
}

const levels = ['', 'paymentRequested', 'paymentRequested.money', 'paymentMethod', 'paymentMethod.account']
const under = (level: string, name: string) => (level === '' ? name : `${level}.${name}`)

describe('a field that is spelled wrong is refused with the one that was meant', () => {
  it.each([
    ['', 'calbackUrl', 'callbackUrl'],
    ['', 'callbackURL', 'callbackUrl'],
    ['', 'callback_url', 'callbackUrl'],
    ['', 'callback-url', 'callbackUrl'],
    ['', 'callbackUlr', 'callbackUrl'],
    ['', 'callback', 'callbackUrl'],
    ['', 'idPayot', 'idPayout'],
    ['', 'paymentRequest', 'paymentRequested'],
    ['', 'Extra', 'extra'],
    ['paymentRequested', 'Money', 'paymentRequested.money'],
    ['paymentRequested.money', 'currency', 'paymentRequested.money.currencyCode'],
    ['paymentRequested.money', 'ammount', 'paymentRequested.money.amount'],
    ['paymentMethod', 'emailAdress', 'paymentMethod.emailAddress'],
    ['paymentMethod', 'email', 'paymentMethod.emailAddress'],
    ['paymentMethod.account', 'account_number', 'paymentMethod.account.accountNumber'],
    // Right, and in the wrong place.
    ['', 'amount', 'paymentRequested.money.amount'],
    ['', 'emailAddress', 'paymentMethod.emailAddress'],
    ['paymentMethod', 'accountNumber', 'paymentMethod.account.accountNumber'],
  ])('%s: %s', async (level, name, meant) => {
    const error = await caught(() => prepareCreate('payout', withFields(level, { [name]: 'x' })))
    expect(error).toMatchObject({ code: 'invalid_input', field: under(level, name), outcome: 'not-accepted' })
    expect(error.message).toBe(
      `${under(level, name)} is not a field of a payout; did you mean ${meant}? nothing was sent.`,
    )
  })

  it.each(levels)('and one that resembles none is told of extra: %s', async (level) => {
    const error = await caught(() => prepareCreate('payout', withFields(level, { zzz: 1 })))
    expect(error.message).toBe(
      `${under(level, 'zzz')} is not a field of a payout that this version knows; one that the gateway has added goes into ${under(level, 'extra')}; nothing was sent.`,
    )
  })

  it('returnUrl is a payin’s', async () => {
    const request = withFields('', { returnUrl: 'https://shop.example/thanks' })
    expect(() => prepareCreate('payin', request)).not.toThrow()
    expect(await caught(() => prepareCreate('payout', request))).toMatchObject({ field: 'returnUrl' })
  })

  it.each(levels)('whatever its value is, undefined too: %s', async (level) => {
    for (const value of [undefined, null, '', 0, false]) {
      const error = await caught(() => prepareCreate('payin', withFields(level, { zzz: value })))
      expect(error.field).toBe(under(level, 'zzz'))
    }
  })

  it('a name that no program would use is not repeated', async () => {
    for (const name of ['jane@shop.example', '0012345678', `-----BEGIN ${'x'.repeat(20)}`, 'a'.repeat(100)]) {
      const error = await caught(() => prepareCreate('payin', withFields('paymentMethod', { [name]: 1 })))
      expect(error.field).toBe('paymentMethod.(not shown)')
      expect(`${error.message}${JSON.stringify(error)}`).not.toContain(name)
    }
  })

  it('the error still has the id of the payment', async () => {
    const request = Object.assign(withFields('', { calbackUrl: 'x' }), { idPayout: 'w-1' })
    expect(await caught(() => prepareCreate('payout', request))).toMatchObject({ idPayout: 'w-1' })
    expect(await caught(() => prepareCreate('payout', withFields('', { zzz: 1 })))).not.toHaveProperty(
      'idPayout',
    )
  })
})

const ids = [
  'id',
  'ID',
  'idempotencyKey',
  'idempotency_key',
  'Idempotency-Key',
  'idPayment',
  'paymentId',
  'payoutId',
  'payout_id',
  'orderId',
  'merchantOrderId',
  'merchant_order_id',
  'transactionId',
  'requestId',
  'reference',
  'uuid',
  'idpayout',
  'id_payin',
]

describe('an id under another name would be made anew at every call, and is refused with the reason', () => {
  it.each(ids)('%s', async (name) => {
    for (const [kind, idField] of [
      ['payout', 'idPayout'],
      ['payin', 'idPayin'],
    ] as const) {
      const error = await caught(() => prepareCreate(kind, withFields('', { [name]: 'w-1' })))
      expect(error.message).toBe(
        `${name} is not a field of a ${kind}, whose id is ${idField}: under another name a fresh id would be made at every call, and a retry would pay twice; nothing was sent.`,
      )
    }
  })

  it.each(ids)('nor does it travel in extra: %s', async (name) => {
    for (const level of levels) {
      const error = await caught(() =>
        prepareCreate('payout', withFields(level, { extra: { [name]: 'w-1' } })),
      )
      expect(error.field).toBe(under(level, `extra.${name}`))
    }
  })

  it('but the id of a class or a template is the id, however it came there', async () => {
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
})

describe('extra', () => {
  it.each(levels)('holds no field that has a place of its own: %s', async (level) => {
    const own = level === '' ? complete : Object.assign({}, pick(level))
    for (const name of Object.keys(own)) {
      for (const spelled of [
        name,
        name.toUpperCase(),
        name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
      ]) {
        const error = await caught(() =>
          prepareCreate('payout', withFields(level, { extra: { [spelled]: 1 } })),
        )
        expect(error.field).toBe(under(level, `extra.${spelled}`))
        expect(error.message).toContain(`give it as ${under(level, name)}`)
      }
    }
  })

  it.each([null, 'text', 5, [], true])('must be an object: %j', async (extra) => {
    expect(await caught(() => prepareCreate('payin', withFields('', { extra })))).toMatchObject({
      field: 'extra',
    })
  })

  it('must not hold __proto__, a symbol, or a field without a name', async () => {
    for (const extra of [
      JSON.parse('{"__proto__":{"a":1}}'),
      { [Symbol('a')]: 1 },
      { '': 1 },
      { toJSON: () => ({}) },
    ])
      expect(await caught(() => prepareCreate('payin', withFields('', { extra })))).toMatchObject({
        code: 'invalid_input',
      })
  })

  it('may be undefined, and is never on the wire itself', () => {
    const { body } = prepareCreate('payin', withFields('', { extra: undefined }))
    expect(JSON.parse(body)).toEqual(JSON.parse(prepareCreate('payin', complete).body))
    expect(body).not.toContain('extra')
  })

  it('carries anything that JSON holds, at any level, beside what is known', () => {
    // Four letters that no field and no id of ours begin with.
    const name = fc.stringMatching(/^zz[a-z]{2,10}$/)
    fc.assert(
      fc.property(fc.constantFrom(...levels), fc.dictionary(name, fc.jsonValue()), (level, extra) => {
        const plain = JSON.parse(prepareCreate('payin', complete).body)
        const sent = JSON.parse(prepareCreate('payin', withFields(level, { extra })).body)
        const found = level === '' ? sent : pick(level, sent)
        expect(found).toEqual({
          ...(level === '' ? plain : pick(level, plain)),
          ...JSON.parse(JSON.stringify(extra)),
        })
      }),
    )
  })
})

describe('money of a create', () => {
  it.each([
    ['10.50', 'EUR', '10.5'],
    [10.505, 'XYZ', '10.505'],
    ['0.0000001', 'XYZ', '0.0000001'],
    [1e-7, 'XYZ', '0.0000001'],
    [1.5e-9, 'XYZ', '0.0000000015'],
    ['0.000001', 'XYZ', '0.000001'],
    ['999999999999999', 'EUR', '999999999999999'],
  ])('%s %s goes out as %s', (amount, currencyCode, sent) => {
    const request = { ...complete, paymentRequested: { money: { amount, currencyCode } } }
    expect(prepareCreate('payout', request).body).toContain(`"money":{"amount":${sent},"currencyCode"`)
  })
})

function pick(level: string, from: Fields = complete): Fields {
  let found: unknown = from
  for (const name of level.split('.')) found = Object(found)[name]
  return Object(found)
}
