import { afterEach, describe, expect, it } from 'vitest'
import {
  type AnyPayment,
  isFinal,
  isPaid,
  paymentReading,
  readBy,
  statusOf,
} from '../../../src/client/payments/final.js'
import { pollGapMs } from '../../../src/client/payments/poll-gap.js'
import { turns } from '../../support/turns.js'

describe('a payment is final when it has succeeded or has been processed', () => {
  it.each([
    [true, { process: { status: 'SUCCESS' } }],
    [true, { process: { status: 'REJECTED', processedAt: '2026-11-21T07:00:00.000Z' } }],
    [true, { process: { processedAt: '2026-11-21T07:00:00.000Z' } }],
    [false, { process: { status: 'PENDING' } }],
    [false, { process: { status: 'SOMETHING_NEW' } }],
    [false, { process: { status: 'success' } }],
    [false, { process: { status: 'PENDING', processedAt: '' } }],
    [true, { process: { createdAt: '2026-11-21T07:00:00Z', processedAt: '2026-11-21T07:00:00.000Z' } }],
    [true, { process: { createdAt: '2026-11-21T08:00:00+02:00', processedAt: '2026-11-21T07:00:00Z' } }],
    [false, { process: { createdAt: '2026-11-21T07:00:00Z', processedAt: '2026-11-21T06:59:59Z' } }],
    [true, { process: { createdAt: 'soon', processedAt: '2026-11-21 07:00:00' } }],
    [false, { process: {} }],
    [false, {}],
    [false, JSON.parse('{"process":null}')],
    [false, JSON.parse('{"process":{"status":"PENDING","processedAt":null}}')],
  ])('%s: %j', (expected, payment) => {
    expect(isFinal(payment)).toBe(expected)
  })

  it.each([
    '0001-01-01T00:00:00Z',
    '1970-01-01T00:00:00.000Z',
    '1970',
    '9999-12-31T23:59:59Z',
    'null',
    '-',
    '2026-13-01T00:00:00Z',
    '2026-11-21',
    '0',
  ])('and not by a processedAt that is no time: %s', (processedAt) => {
    expect(isFinal({ process: { status: 'PENDING', processedAt } })).toBe(false)
  })

  it.each([
    ['PENDING', { process: { status: 'PENDING' } }],
    ['ÜBERFÄLLIG_2-B', { process: { status: 'ÜBERFÄLLIG_2-B' } }],
    [undefined, { process: { status: 'Jana Novak' } }],
    [undefined, { process: { status: 'jana@shop.example' } }],
    [undefined, { process: { status: 'X'.repeat(65) } }],
    [undefined, { process: { status: '' } }],
    [undefined, {}],
    [undefined, JSON.parse('{"process":null}')],
  ])('its status is %s where it shows %j', (status, payment) => {
    expect(statusOf(payment)).toBe(status)
  })
})

describe('what all objects have says nothing about a payment', () => {
  afterEach(() => {
    Reflect.deleteProperty(Object.prototype, 'status')
  })

  it('by the language, wherever a profile looks for the status', () => {
    const payment = { process: { status: 'PENDING' } }
    readBy({ statusField: 'process.constructor.name', statuses: { Object: 'final' } }, payment)
    expect(statusOf(payment)).toBeUndefined()
    expect(isFinal(payment)).toBe(false)
  })

  it('by another package', () => {
    Object.defineProperty(Object.prototype, 'status', { value: 'SUCCESS', configurable: true })
    expect(isPaid({ process: {} })).toBe(false)
    expect(isFinal({ process: {} })).toBe(false)
  })

  it('and what its own class has does', () => {
    class Order {
      get process() {
        return { status: 'SUCCESS' }
      }
    }
    expect(isPaid(new Order())).toBe(true)
  })
})

describe('a payment is paid when its status is SUCCESS, and by nothing else', () => {
  it.each([
    [true, { process: { status: 'SUCCESS' } }],
    [false, { process: { status: 'success' } }],
    [false, { process: { status: 'PAID', processedAt: '2026-11-21T07:00:00.000Z' } }],
    [false, { process: { processedAt: '2026-11-21T07:00:00.000Z' } }],
    [false, { paymentRequested: {}, paymentMethodResponse: {} }],
    [false, {}],
  ])('%s: %j', (expected, payment) => {
    expect(isPaid(payment)).toBe(expected)
    expect([payment].filter((one) => isPaid(one))).toHaveLength(expected ? 1 : 0)
  })

  it('wherever statusOf reads it', () => {
    const payment = { paymentRequested: {}, status: 'SUCCESS' }
    const options = { statusOf: ({ status }: AnyPayment) => String(status) }
    expect(isPaid(payment)).toBe(false)
    expect(isPaid(payment, options)).toBe(true)
  })
})

describe('what a client reads', () => {
  const top = { paymentRequested: {}, status: 'SUCCESS' }

  it('is final by a SUCCESS that statusOf found, without an isFinal of its own', () => {
    const reading = paymentReading({ statusOf: ({ status }) => String(status) })
    expect([reading.statusOf(top), reading.isFinal(top)]).toEqual(['SUCCESS', true])
    expect(reading.isFinal({ process: { processedAt: '2026-11-21T07:00:00.000Z' } })).toBe(true)
  })

  it('is final by isFinal alone, where there is one', () => {
    const reading = paymentReading({ isFinal: () => false })
    expect(reading.isFinal({ process: { status: 'SUCCESS' } })).toBe(false)
  })

  it('refuses a promise of isFinal, which would count as yes, and lets it fail in peace', async () => {
    const isFinal: unknown = async () => {
      throw new Error('the database is away')
    }
    const reading = paymentReading(Object({ isFinal }))
    expect(() => reading.isFinal({ process: { status: 'PENDING' } })).toThrow(
      /true or false and gave a promise/,
    )
    await turns()
  })

  it.each([5, null, {}, 'x'.repeat(201)])('is no status where statusOf says %j', (status) => {
    const reading = paymentReading(JSON.parse('{}'))
    expect(reading.statusOf(JSON.parse(JSON.stringify({ process: { status } })))).toBeUndefined()
  })
})

describe('the gap between two looks', () => {
  it.each([
    [1, 1_000],
    [2, 1_500],
    [3, 2_250],
    [6, 7_593.75],
    [8, 12_500],
    [1_000, 12_500],
  ])('after look %i is about %s ms', (looks, ms) => {
    expect(pollGapMs(looks, 0.5)).toBeCloseTo(ms, 6)
    expect(pollGapMs(looks, 0)).toBeCloseTo(ms * 0.8, 6)
    expect(pollGapMs(looks, 1)).toBeCloseTo(ms * 1.2, 6)
  })

  it('is four times as long at first where callbacks arrive, and in no case longer than 15 s', () => {
    expect([1, 2, 3, 4, 1_000].map((looks) => pollGapMs(looks, 0.5, true))).toEqual([
      4_000, 6_000, 9_000, 12_500, 12_500,
    ])
    for (const arrive of [true, false]) expect(pollGapMs(1_000, 1, arrive)).toBeCloseTo(15_000, 6)
  })
})
