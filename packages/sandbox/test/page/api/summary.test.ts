import { describe, expect, test } from 'vitest'
import type {
  CallbackEntry,
  Entry,
  RequestEntry,
  StatusEntry,
} from '../../../src/page/api/payments/entries.js'
import { type PaymentHistory, summaryOf } from '../../../src/page/api/payments/payment-history.js'
import { callback, request as create, lookup } from '../../entries.js'

const payin: PaymentHistory['payment'] = {
  kind: 'payin',
  id: 'order-1',
  status: 'SUCCESS',
  amount: 12.5,
  currencyCode: 'EUR',
  method: 'VAPAY',
  createdAt: 0,
  callbacks: 'none',
  isNoted: false,
  operator: null,
  account: null,
  reference: '1',
  expireAt: 3_600_000,
  processedAt: null,
  callbackUrl: 'https://shop.example/callbacks',
  returnUrl: null,
}
const silent = { callbackUrl: null }

const mint = (at: number) => create(at, { isMint: true, path: '/auth-tokens' })
const replay = (at: number, differs: string[] = []) =>
  create(at, { status: 409, verdict: 'ALREADY_ACCEPTED', differs })
const fault = (kind: string, by = 'a fault that was added') => ({ kind, by })

function changes(...steps: readonly (readonly [at: number, status: string, cause?: StatusEntry['cause']])[]) {
  return steps.map(([at, status, cause = 'gateway'], index): StatusEntry => {
    return { type: 'status', at, status, before: steps[index - 1]?.[1] ?? null, cause }
  })
}
const paid = changes([0, 'CREATED'], [0, 'PENDING'], [1000, 'SUCCESS'])

type Given = Partial<PaymentHistory['payment']> & { magic?: PaymentHistory['magic'] }

function summary(entries: readonly Entry[], { magic = null, ...more }: Given = {}): string {
  const last = entries.filter((entry) => entry.type === 'status').at(-1)
  return summaryOf({ ...payin, status: last?.status ?? 'CREATED', ...more }, entries, magic)
}

const noUrl = 'It has no callbackUrl, so no callback is sent.'

describe('the summary says how a payment stands', () => {
  const magic = { by: 'amount 4001', meaning: 'The payment fails.' }
  test.each<[name: string, entries: Entry[], given: Given, sentence: string]>([
    ['paid', [mint(0), create(0), ...paid], {}, 'Paid after 1 s.'],
    ['sent', paid, { kind: 'payout' }, 'Sent after 1 s.'],
    ['at once', changes([0, 'CREATED'], [0, 'SUCCESS']), {}, 'Paid at once.'],
    ['just accepted', changes([0, 'CREATED']), {}, 'Accepted; its status has not changed yet.'],
    ['waiting', changes([0, 'CREATED'], [5, 'PENDING']), {}, 'Not decided yet: PENDING.'],
    [
      'waiting by magic',
      changes([0, 'CREATED'], [5, 'PENDING']),
      { magic: { by: 'amount 4004', meaning: 'The payment succeeds after a day.' } },
      'Not decided yet: PENDING. Its amount 4004 asks for this: The payment succeeds after a day.',
    ],
    [
      'failed by magic',
      changes([0, 'CREATED'], [0, 'PENDING'], [1000, 'FAILED', 'magic']),
      { magic },
      'FAILED after 1 s, as its amount 4001 asks.',
    ],
    [
      'set on the page',
      changes([0, 'CREATED'], [90_000, 'FAILED', 'page']),
      { magic },
      'FAILED after 1 min 30 s, set by hand.',
    ],
    ['set by code', changes([0, 'CREATED'], [10, 'SUCCESS', 'code']), {}, 'Paid after 10 ms, set by code.'],
    ['expired', changes([0, 'CREATED'], [0, 'PENDING'], [3_600_000, 'EXPIRED']), {}, 'EXPIRED after 1 h.'],
    [
      'reversed',
      changes([0, 'CREATED'], [1000, 'SUCCESS'], [86_400_000, 'FAILED', 'code']),
      {},
      'Paid after 1 s. FAILED after 1 d, set by code.',
    ],
  ])('%s', (_name, entries, given, sentence) => {
    expect(summary(entries, given)).toBe(sentence)
  })
})

describe('the summary says what happened to the creates', () => {
  const again = 'Creates sent again with the same content: 1. Each got 409, and nothing was done twice.'
  const found = 'The client found the payment afterwards.'
  test.each<[name: string, requests: RequestEntry[], sentences: string[]]>([
    ['one create with a response', [mint(0), create(0)], []],
    [
      'the response was lost and the client found the payment',
      [create(0, { arrival: 'reset', fault: fault('drop-after') }), replay(5), lookup(6)],
      ['The response to the create was lost.', found, again, 'One payin.'],
    ],
    [
      'no response, and the client found the payment without a second create',
      [create(0, { arrival: 'none', fault: fault('timeout') }), lookup(6)],
      ['The create got no response.', found, 'One payin.'],
    ],
    [
      'the response broke off and nobody asked',
      [create(0, { arrival: 'cut', fault: fault('cut-body') })],
      ['The response to the create broke off. No client has asked for the payment since. One payin.'],
    ],
    [
      'the response was lost, and only 409 followed',
      [create(0, { arrival: 'reset' }), replay(5)],
      [
        'The response to the create was lost.',
        'No client has asked for the payment since.',
        again,
        'One payin.',
      ],
    ],
    [
      'the response was an error, after the payment was accepted',
      [create(0, { status: 500, fault: fault('status') }), replay(5), lookup(6)],
      ['The response to the create was 500, although the payment was accepted.', found, again, 'One payin.'],
    ],
    [
      'the client left before the response',
      [create(0, { arrival: 'left' }), replay(5), lookup(6)],
      ['The client left before the response to the create.', found, again, 'One payin.'],
    ],
    ['a late response', [create(0, { tookMs: 3000 })], ['The response to the create took 3 s.']],
    ['a refusal before it', [create(0, { status: 503, verdict: 'REFUSED' }), create(20)], ['One payin.']],
    [
      'duplicates',
      [create(0), replay(5), replay(6)],
      ['Creates sent again with the same content: 2. Each got 409, and nothing was done twice. One payin.'],
    ],
    [
      'another create under the same id',
      [create(0), replay(5, ['the money', 'the account number'])],
      [
        'Creates under this id that asked for something else (the money and the account number): 1. Each got 409, and the payment stayed as it was. One payin.',
      ],
    ],
    [
      'overtaken',
      [create(0, { status: 409, verdict: 'ALREADY_ACCEPTED', fault: fault('overtaken') }), lookup(3)],
      ['Another create with this id was faster, and this one got 409.', found, 'One payin.'],
    ],
    [
      'the callback was first',
      [create(0, { fault: fault('callback-first') })],
      ['The first callback was delivered before the response to the create.'],
    ],
  ])('%s', (_name, requests, sentences) => {
    const all = ['Paid after 1 s.', ...sentences, noUrl].join(' ')
    expect(summary([...requests, ...paid], silent)).toBe(all)
  })
})

describe('the summary says whether the merchant was notified', () => {
  const failed = { response: 500 }
  test.each<[name: string, callbacks: CallbackEntry[], sentence: string]>([
    ['none yet', [], ''],
    ['one', [callback(1)], ' Callbacks delivered: 1.'],
    ['two', [callback(1, { paymentStatus: 'PENDING' }), callback(2)], ' Callbacks delivered: 2.'],
    ['on its way', [callback(1, { response: null })], ' A callback waits for its response.'],
    [
      'failed once',
      [callback(1, { ...failed, nextTryAt: 5 })],
      ' The callback for SUCCESS failed at attempt 1 (response 500) and is sent again.',
    ],
    [
      'failed twice, without a response',
      [callback(1, failed), callback(2, { response: null, error: 'refused', attempt: 2, nextTryAt: 5 })],
      ' The callback for SUCCESS failed at attempt 2 (no response) and is sent again.',
    ],
    [
      'given up',
      [callback(1, failed), callback(3, { ...failed, attempt: 3, isGivenUp: true })],
      ' The callback for SUCCESS failed 3 times (response 500) and is not sent again: the merchant was not notified.',
    ],
    [
      'delivered in the end',
      [callback(1, failed), callback(2, { attempt: 2 })],
      ' The callback for SUCCESS was delivered at attempt 2. Callbacks delivered: 1.',
    ],
    [
      'withheld',
      [callback(1, { response: null, isWithheld: true, fault: fault('missing', 'amount 7001') })],
      ' No callback was sent for SUCCESS, because of amount 7001.',
    ],
  ])('%s', (_name, callbacks, sentence) => {
    expect(summary([...paid, ...callbacks])).toBe(`Paid after 1 s.${sentence}`)
  })
})
