import { describe, expect, test } from 'vitest'
import {
  afterRequest,
  gapMs,
  isOvertaken,
  isRequestedSince,
  judge,
  type Known,
  patienceMs,
  type Requests,
  stepOf,
} from '../../src/callbacks/decisions.js'
import type { DeliveredStatus } from '../../src/callbacks/index.js'

const final = (status: string): DeliveredStatus => ({ status, final: true })
const open = (status: string): DeliveredStatus => ({ status, final: false })
const known = (delivered?: DeliveredStatus, requestNumber?: number): Known => ({ delivered, requestNumber })
/** What was delivered by the status request of this number. */
const by = (requestNumber: number, delivered: DeliveredStatus) => ({ ...delivered, requestNumber })

test.each([
  ['the first time', undefined, open('PENDING'), { isCalled: true, isNew: true }],
  ['the first time, final', undefined, final('SUCCESS'), { isCalled: true, isNew: true }],
  ['the same, not final', open('PENDING'), open('PENDING'), { isCalled: true, isNew: false }],
  ['a change', open('PENDING'), final('SUCCESS'), { isCalled: true, isNew: true }],
  ['the same status, now final', open('DONE'), final('DONE'), { isCalled: true, isNew: true }],
  ['the same, final', final('SUCCESS'), final('SUCCESS'), { isCalled: false, isNew: false }],
  ['open again after the end', final('SUCCESS'), open('PENDING'), { isCalled: true, isNew: true }],
  ['the same status, not final any more', final('DONE'), open('DONE'), { isCalled: true, isNew: true }],
  ['another end, such as a reversal', final('SUCCESS'), final('REVERSED'), { isCalled: true, isNew: true }],
])('%s: the function is called or not', (_title, last, now, verdict) => {
  expect(judge(last, now)).toEqual(verdict)
})

test.each<[string, number, Known | undefined]>([
  ['an open payment, at once', 0, known(open('PENDING'), 7)],
  ['an open payment whose numbers begin anew, at once', 0, known(open('PENDING'), 1)],
  ['the first callback of a payment, after those of five seconds', 5000, known(undefined, 1)],
  ['and so without numbers', 5000, known()],
  ['a payment that was requested, and not delivered, at once', 0, known(undefined, 2)],
  ['a final payment, after those of a minute', 60_000, known(final('SUCCESS'), 1)],
  ['where the store says nothing, at once', 0, undefined],
])('due is %s', (_title, ms, what) => {
  expect(patienceMs(what)).toBe(ms)
})

test.each<[string, boolean, number | undefined, Known | undefined]>([
  ['a request that began after the callback came', true, 3, known(by(4, open('PENDING')))],
  ['the request that had begun when it came', false, 3, known(by(3, open('PENDING')))],
  ['an earlier request', false, 3, known(by(2, open('PENDING')))],
  ['a delivery without a number', false, 3, known(open('PENDING'))],
  ['no delivery', false, 3, known(undefined, 5)],
  ['a store without numbers', false, undefined, known(by(4, open('PENDING')))],
  ['a store that says nothing', false, 3, undefined],
])('%s has dealt with a callback: %s', (_title, isKnown, arrivedAt, what) => {
  expect(isRequestedSince(arrivedAt, what)).toBe(isKnown)
})

test.each([
  ['request', { known: known(undefined, 4) }],
  ['request', { known: undefined }],
  ['claimed', { known: known(open('PENDING'), 4), isClaimed: true }],
  ['known', { known: known(by(4, open('PENDING'))), isClaimed: true }],
  ['known', { known: known(by(4, final('SUCCESS'))) }],
  // Found before the callback came: it may be a copy.
  ['put-off', { known: known(by(2, final('SUCCESS'))) }],
  ['put-off', { known: known(by(2, final('SUCCESS'))), isClaimed: true }],
  ['request', { known: known(by(2, final('SUCCESS'))), wasOver: true }],
  ['claimed', { known: known(by(2, final('SUCCESS'))), wasOver: true, isClaimed: true }],
] as const)('when its turn has come: %s for %j', (step, turn) => {
  expect(stepOf({ arrivedAt: 3, wasOver: false, isClaimed: false, ...turn })).toBe(step)
})

test.each<[string, boolean, DeliveredStatus | undefined, DeliveredStatus | undefined, DeliveredStatus]>([
  ['nothing delivered', false, undefined, undefined, open('PENDING')],
  ['the same delivered meanwhile', false, undefined, final('SUCCESS'), final('SUCCESS')],
  ['nothing delivered meanwhile', false, open('PENDING'), open('PENDING'), final('SUCCESS')],
  ['something else delivered meanwhile', true, undefined, final('SUCCESS'), open('PENDING')],
  ['something else, after another', true, open('NEW'), final('SUCCESS'), open('PENDING')],
  ['the same again, by another request', true, by(1, final('S')), by(2, final('S')), open('PENDING')],
  ['by the same request', false, by(1, final('S')), by(1, final('S')), open('PENDING')],
])('a status request is overtaken or not: %s', (_title, overtaken, before, last, now) => {
  expect(isOvertaken(before, last, now)).toBe(overtaken)
})

describe('status requests for one payment that show nothing new', () => {
  const pending = { status: 'PENDING' }
  const made = (count: number, shown: Requests['shown']) => {
    let requests: Requests | undefined
    for (let n = 0; n < count; n++) requests = afterRequest(requests, shown, 1000)
    return requests
  }

  // The first one is news.
  test.each([
    [0, 0],
    [50, 0],
    [51, 1000],
    [52, 2000],
    [56, 32_000],
    [57, 60_000],
    [5000, 60_000],
  ])('after %i there is a gap of %i ms', (count, ms) => {
    expect(gapMs(made(count, pending), 1000)).toBe(ms)
  })

  test('are counted where they fail, or are left to a queue', () => {
    expect(gapMs(made(50, undefined), 1000)).toBe(1000)
  })

  test('have a gap that ends', () => {
    const requests = made(52, pending)
    expect([2999, 3000, 9000].map((now) => gapMs(requests, now))).toEqual([1, 0, 0])
  })

  test('are forgotten at a new status, and only then', () => {
    const requests = afterRequest(made(60, pending), undefined, 1000)
    expect(afterRequest(requests, { status: 'PENDING' }, 1000).unchanged).toBe(61)
    expect(afterRequest(requests, { status: 'SUCCESS' }, 1000).unchanged).toBe(0)
    expect(afterRequest(requests, { status: undefined }, 1000).unchanged).toBe(0)
  })
})
