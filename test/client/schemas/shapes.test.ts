import { describe, expect, it } from 'vitest'
import { anyShape, merchantInfoShape } from '../../../src/client/schemas/account-data.js'
import {
  customerAccountShape,
  payinCreateShape,
  payinShape,
  paymentOptionsShape,
} from '../../../src/client/schemas/payins.js'
import { payoutCreateShape, payoutShape } from '../../../src/client/schemas/payouts.js'
import { type AnswerShape, bounded, inspectShape, isUsable } from '../../../src/client/schemas/shape.js'

const money = { amount: 10.5, currencyCode: 'EUR' }
const payin = {
  paymentRequested: { money },
  paymentMethodResponse: {
    idPayin: 'order-1',
    paymentMethodCode: 'VAPAY',
    account: { accountName: 'A', accountNumber: '1', bankCode: 'B', bankName: 'Bank' },
    money,
    expireAt: '2026-11-21T07:00:00.000Z',
    reference: '8077',
    returnUrl: 'https://shop.example',
  },
}
const payoutCreated = { paymentRequested: { money }, paymentMethodResponse: { idPayout: 'order-1' } }
const payout = {
  ...payoutCreated,
  process: { status: 'SUCCESS', createdAt: 'a', processedAt: 'b', isTest: false },
  fee: money,
}
const options = {
  data: [{ paymentMethodCode: 'VAPAY', paymentOperators: [{ code: 'BANK_A', name: 'Bank A' }] }],
}

/** A copy without, or with another value at, a path. */
function changed(body: unknown, path: string, value?: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(body))
  const names = path.split('.')
  const last = names.pop() ?? ''
  let target: unknown = copy
  for (const name of names) target = Object(target)[name]
  Object(target)[last] = value
  return copy
}

describe('what the specification shows fits', () => {
  it.each<readonly [string, AnswerShape<unknown>, unknown]>([
    ['payin create response', payinCreateShape, payin],
    ['payin details', payinShape, { ...payin, process: { status: 'SUCCESS' } }],
    ['payout create response', payoutCreateShape, payoutCreated],
    ['payout status', payoutShape, payout],
    ['payment options', paymentOptionsShape, options],
    ['payment options, none', paymentOptionsShape, { data: [] }],
    ['merchant information', merchantInfoShape, { channelInfo: { name: 'Shop' } }],
    ['customer account data', customerAccountShape, { account: { accountNumber: '1' } }],
    ['code lists, whatever they are', anyShape, ['EUR']],
    ['code lists, even null', anyShape, null],
  ])('%s', (_name, shape, body) => {
    expect(inspectShape(shape, body)).toBeUndefined()
  })

  it('payin details may lack everything, since the specification shows none', () => {
    expect(inspectShape(payinShape, {})).toBeUndefined()
  })
})

describe('unknown fields and values stay as they came (peer failures 24 and 25)', () => {
  it.each<readonly [string, AnswerShape<unknown>, unknown]>([
    ['a new field', payinShape, { ...payin, tomorrow: { is: ['new'] } }],
    ['a new field at depth', payoutShape, changed(payout, 'process.reason', 'LATE')],
    ['a new status', payoutShape, changed(payout, 'process.status', 'ON_HOLD_2')],
    ['a new method code', payinCreateShape, changed(payin, 'paymentMethodResponse.paymentMethodCode', 'X9')],
  ])('%s', (_case, shape, body) => {
    const before = structuredClone(body)
    expect(inspectShape(shape, body)).toBeUndefined()
    expect(body).toEqual(before)
  })
})

describe('null in a field that may be absent is not drift', () => {
  const optional: readonly (readonly [AnswerShape<unknown>, unknown, readonly string[]])[] = [
    [payoutShape, payout, ['fee', 'process.createdAt', 'process.processedAt', 'process.isTest']],
    [payoutCreateShape, payoutCreated, ['paymentMethodResponse.paymentMethodCode']],
    [
      payinCreateShape,
      payin,
      [
        ...[
          'paymentMethodCode',
          'paymentOperatorCode',
          'account',
          'money',
          'expireAt',
          'reference',
          'returnUrl',
        ],
        ...['account.accountName', 'account.accountNumber', 'account.bankCode', 'account.bankName'],
      ].map((name) => `paymentMethodResponse.${name}`),
    ],
    [payinShape, payin, ['paymentRequested', 'process', 'paymentMethodResponse.idPayin']],
    [payinShape, payin, ['paymentMethodResponse']],
  ]

  it.each(optional.flatMap(([shape, body, paths]) => paths.map((path) => [path, shape, body] as const)))(
    '%s',
    (path, shape, body) => {
      expect(inspectShape(shape, changed(body, path, null))).toBeUndefined()
    },
  )
})

type Case = readonly [
  shape: AnswerShape<unknown>,
  body: unknown,
  path: string,
  value: unknown,
  expected: string,
]

describe('what the caller can do without is drift, and no more', () => {
  it.each<Case>([
    [payoutShape, payout, 'fee', 5, 'object'],
    [payoutShape, payout, 'process.processedAt', 0, 'string'],
    [payoutShape, payout, 'process.isTest', 'no', 'boolean'],
    [payinShape, payin, 'paymentMethodResponse.account', [], 'object'],
    [payinShape, payin, 'process', 'SUCCESS', 'object'],
    [payinShape, payin, 'paymentRequested.money.amount', '10.50', 'number'],
    [paymentOptionsShape, options, 'data.0.paymentOperators.0.name', 5, 'string'],
    [merchantInfoShape, {}, 'channelInfo', undefined, 'object'],
  ])('%s of %s: %s as %s, %s expected', (shape, whole, path, value, expected) => {
    const body = changed(whole, path, value)
    const report = inspectShape(shape, body)
    expect(report).toEqual({ unusable: [], drift: [`${path}: expected ${expected}`] })
    expect(isUsable(shape, body, report)).toBe(true)
  })
})

describe('what the caller can not do without makes a response unusable', () => {
  const method = 'paymentMethodResponse'
  it.each<Case>([
    [payinCreateShape, payin, `${method}.idPayin`, undefined, 'string'],
    [payinCreateShape, payin, method, undefined, 'object'],
    [payinCreateShape, payin, 'paymentRequested.money.amount', '10.50', 'number'],
    [payoutCreateShape, payoutCreated, 'paymentRequested', null, 'object'],
    [payoutShape, payout, 'process.status', null, 'string'],
    [payoutShape, payout, 'process', undefined, 'object'],
    [paymentOptionsShape, options, 'data', null, 'array'],
    [payinShape, payin, 'body', 'text', 'object'],
    [merchantInfoShape, {}, 'body', null, 'object'],
    [customerAccountShape, {}, 'body', [], 'object'],
  ])('%s of %s: %s as %s, %s expected', (shape, held, path, value, expected) => {
    const body = path === 'body' ? value : changed(held, path, value)
    const report = inspectShape(shape, body)
    expect(report?.unusable).toEqual([`${path}: expected ${expected}`])
    expect(isUsable(shape, body, report)).toBe(false)
  })

  it('a report names paths and expectations and never values', () => {
    const body = changed(payin, 'paymentMethodResponse.account.accountNumber', { secret: '4711' })
    expect(JSON.stringify(inspectShape(payinShape, body))).not.toContain('4711')
  })
})

describe('however much is wrong', () => {
  const long = (entry: unknown) => ({ data: Array(10_000).fill(entry) })

  it.each<readonly [string, unknown, number]>([
    ['numbers', 0, 19],
    ['empty objects', {}, 9],
    ['options with bad operators', { paymentMethodCode: 'A', paymentOperators: Array(10).fill(0) }, 1],
  ])(
    'of a list of %s the first twenty things are said, and how many there are besides',
    (_what, entry, last) => {
      const drift = inspectShape(paymentOptionsShape, long(entry))?.drift ?? []
      expect(drift).toHaveLength(21)
      expect(drift.at(19)).toMatch(new RegExp(`^data\\.${last}\\b`))
      expect(drift.at(-1)).toMatch(/^and \d+ more$/)
    },
  )

  it('a list that fits is looked at to its end', () => {
    const body = long(options.data[0])
    expect(inspectShape(paymentOptionsShape, body)).toBeUndefined()
    body.data[9_999] = 0
    expect(inspectShape(paymentOptionsShape, body)?.drift).toEqual(['data.9999: expected object'])
  })

  it('every line fits into a log', () => {
    const [line] = bounded(['x'.repeat(100_000)], (text) => text)
    expect(line).toHaveLength(201)
  })
})
