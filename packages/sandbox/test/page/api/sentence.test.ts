import { describe, expect, test } from 'vitest'
import type {
  CallbackEntry,
  Entry,
  RequestEntry,
  StatusEntry,
} from '../../../src/page/api/payments/entries.js'
import type { PaymentHistory } from '../../../src/page/api/payments/payment-history.js'
import { sentenceOf } from '../../../src/page/api/payments/sentence.js'
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

const mint = (at: number) => create(at, { signature: { verdict: 'valid', why: '' }, path: '/auth-tokens' })
const replay = (at: number, differs: string[] = []) =>
  create(at, { status: 409, verdict: 'ALREADY_ACCEPTED', differs })
const refused = (at: number, status: number) => create(at, { status, verdict: 'REFUSED' })
const fault = (kind: string, by = 'a fault that was armed') => ({ kind, by })

function changes(...steps: readonly (readonly [at: number, status: string, cause?: StatusEntry['cause']])[]) {
  return steps.map(([at, status, cause = 'gateway'], index): StatusEntry => {
    return { type: 'status', at, status, before: steps[index - 1]?.[1] ?? null, cause }
  })
}
const paid = changes([0, 'CREATED'], [0, 'PENDING'], [1000, 'SUCCESS'])

type Given = Partial<PaymentHistory['payment']> & { magic?: PaymentHistory['magic'] }

function told(entries: readonly Entry[], { magic = null, ...more }: Given = {}): string {
  const last = entries.filter((entry) => entry.type === 'status').at(-1)
  return sentenceOf({ ...payin, status: last?.status ?? 'CREATED', ...more }, entries, magic)
}

const paidSilently = 'Paid after 1 s. '
const nobody = ' It has no callbackUrl, so nobody is told.'

describe('the sentence says what came of a payment', () => {
  const magic = { by: 'amount 4001', meaning: 'The payment fails.' }
  test.each<[name: string, entries: Entry[], given: Given, sentence: string]>([
    ['paid', [mint(0), create(0), ...paid], {}, 'Paid after 1 s.'],
    ['sent', paid, { kind: 'payout' }, 'Sent after 1 s.'],
    ['at once', changes([0, 'CREATED'], [0, 'SUCCESS']), {}, 'Paid at once.'],
    ['just accepted', changes([0, 'CREATED']), {}, 'Accepted; nothing has come of it yet.'],
    ['waiting', changes([0, 'CREATED'], [5, 'PENDING']), {}, 'Not decided yet: PENDING.'],
    [
      'waiting by magic',
      changes([0, 'CREATED'], [5, 'PENDING']),
      { magic: { by: 'amount 4004', meaning: 'The payment succeeds after a day.' } },
      'Not decided yet: PENDING. Its amount 4004 asks for this: the payment succeeds after a day.',
    ],
    [
      'failed by magic',
      changes([0, 'CREATED'], [0, 'PENDING'], [1000, 'FAILED', 'magic']),
      { magic },
      'Failed after 1 s, as its amount 4001 asks.',
    ],
    [
      'settled on the page',
      changes([0, 'CREATED'], [90_000, 'FAILED', 'page']),
      { magic },
      'Failed after 1 min 30 s, settled by hand.',
    ],
    [
      'settled by code',
      changes([0, 'CREATED'], [10, 'SUCCESS', 'code']),
      {},
      'Paid after 10 ms, settled by code.',
    ],
    [
      'expired',
      changes([0, 'CREATED'], [0, 'PENDING'], [3_600_000, 'EXPIRED']),
      {},
      'Expired after 1 h: nobody paid.',
    ],
    [
      'expired by hand',
      changes([0, 'CREATED'], [0, 'PENDING'], [500, 'EXPIRED', 'page']),
      {},
      'Expired after 500 ms, settled by hand.',
    ],
    [
      'a status that nobody knows',
      changes([0, 'CREATED'], [1000, 'UNDER_REVIEW', 'code']),
      {},
      'UNDER_REVIEW after 1 s, settled by code.',
    ],
    [
      'reversed',
      changes([0, 'CREATED'], [1000, 'SUCCESS'], [86_400_000, 'FAILED', 'code']),
      {},
      'Paid after 1 s, and then FAILED after 1 d, settled by code.',
    ],
    [
      'pending again',
      changes([0, 'CREATED'], [0, 'PENDING'], [1000, 'REVIEW', 'code'], [2000, 'PENDING', 'code']),
      {},
      'PENDING again after 2 s, settled by code.',
    ],
  ])('%s', (_name, entries, given, sentence) => {
    expect(told(entries, given)).toBe(sentence)
  })
})

describe('the sentence says what happened to the creates', () => {
  test.each<[name: string, requests: RequestEntry[], sentence: string]>([
    ['one create, answered', [mint(0), create(0)], ''],
    [
      'the answer was lost and the client found it',
      [create(0, { arrival: 'reset', fault: fault('drop-after') }), replay(5), lookup(6)],
      'The first answer was lost; the client found it again. One payin.',
    ],
    [
      'the answer was lost and the client looked it up without a second create',
      [create(0, { arrival: 'none', fault: fault('timeout') }), lookup(6)],
      'The first answer never came; the client found it again. One payin.',
    ],
    [
      'the answer broke off and nobody asked',
      [create(0, { arrival: 'cut', fault: fault('cut-body') })],
      'The first answer broke off; nobody has asked for the payment since. One payin.',
    ],
    [
      'the answer was lost, and only 409 came after it',
      [create(0, { arrival: 'reset' }), replay(5)],
      'The first answer was lost; the client asked again, met 409, and has not looked the payment up. One payin.',
    ],
    [
      'the answer was an error, after the payment had been accepted',
      [create(0, { status: 500, fault: fault('status') }), replay(5), lookup(6)],
      'The first answer said 500, though the first create was accepted; the client found it again. One payin.',
    ],
    [
      'the client had gone before the answer',
      [create(0, { arrival: 'left' }), replay(5), lookup(6)],
      'The first answer came too late: the client had gone; the client found it again. One payin.',
    ],
    [
      'a late answer',
      [create(0, { tookMs: 3000, fault: fault('delay') })],
      'The first answer came after 3 s.',
    ],
    [
      'a late answer, when the client had asked again',
      [create(0, { tookMs: 3000 }), replay(2000), lookup(2010)],
      'The first answer came after 3 s, when the client had asked again. The create was repeated: 409, and nothing was done twice. One payin.',
    ],
    [
      'refused creates before',
      [refused(0, 429), refused(10, 503), create(20)],
      '2 creates were refused with 429 and 503 before. One payin.',
    ],
    [
      'one refused create before',
      [refused(0, 401), create(20)],
      'One create was refused with 401 before. One payin.',
    ],
    [
      'a create that never arrived',
      [create(0, { arrival: 'reset', status: null, verdict: null }), create(20)],
      'One create was lost on its way, and nothing was accepted. One payin.',
    ],
    [
      'the second create was accepted, and its answer lost',
      [refused(0, 503), create(10, { arrival: 'reset' }), replay(20), lookup(21)],
      'One create was refused with 503 before. The answer was lost; the client found it again. One payin.',
    ],
    [
      'replays',
      [create(0), replay(5), replay(6)],
      'The create was repeated 2 times: 409 each time, and nothing was done twice. One payin.',
    ],
    [
      'another create under the same id',
      [create(0), replay(5, ['the money', 'the account number'])],
      'Another create under this id differed in the money and the account number: 409, and the payment stayed as it was. One payin.',
    ],
    [
      'overtaken',
      [create(0, { status: 409, verdict: 'ALREADY_ACCEPTED', fault: fault('overtaken') }), lookup(3)],
      'Another create with this id was faster, and this one met 409; the client found it again. One payin.',
    ],
    [
      'the callback came first',
      [create(0, { fault: fault('callback-first') })],
      'The first callback was delivered before the create was answered.',
    ],
    [
      'hidden at first',
      [create(0), lookup(5, { status: 404, verdict: 'PAYMENT_NOT_FOUND' }), lookup(2000)],
      'It could not be found at first: 404.',
    ],
  ])('%s', (_name, requests, sentence) => {
    expect(told([...requests, ...paid], silent)).toBe(
      `${paidSilently}${sentence}${nobody}`.replace('  ', ' '),
    )
  })
})

describe('the sentence says whether the merchant heard of it', () => {
  const failed = { answer: 500 }
  test.each<[name: string, callbacks: CallbackEntry[], sentence: string]>([
    ['none yet', [], ''],
    ['one', [callback(1)], ' Its callback was delivered.'],
    ['two', [callback(1, { paymentStatus: 'PENDING' }), callback(2)], ' Both callbacks were delivered.'],
    ['on its way', [callback(1, { answer: null })], ' A callback waits for its answer.'],
    [
      'failed once',
      [callback(1, { ...failed, nextTryAt: 5 })],
      ' The callback for SUCCESS failed once (answered 500) and is sent again.',
    ],
    [
      'failed twice, without an answer',
      [callback(1, failed), callback(2, { answer: null, error: 'refused', attempt: 2, nextTryAt: 5 })],
      ' The callback for SUCCESS failed twice (no answer) and is sent again.',
    ],
    [
      'given up',
      [
        callback(1, failed),
        callback(2, { ...failed, attempt: 2 }),
        callback(3, { ...failed, attempt: 3, isGivenUp: true }),
      ],
      ' The callback for SUCCESS was given up after 3 tries (answered 500): the merchant has not heard of it.',
    ],
    [
      'all given up',
      ['PENDING', 'SUCCESS'].map((paymentStatus) =>
        callback(1, { ...failed, paymentStatus, attempt: 3, isGivenUp: true }),
      ),
      ' The callbacks for PENDING and SUCCESS were given up after 3 tries: the merchant has heard of nothing.',
    ],
    [
      'delivered in the end',
      [callback(1, failed), callback(2, { attempt: 2 })],
      ' The callback for SUCCESS was delivered at try 2.',
    ],
    [
      'withheld',
      [callback(1, { answer: null, isWithheld: true, fault: fault('missing', 'amount 7001') })],
      ' No callback was sent for SUCCESS, because of amount 7001.',
    ],
    [
      'sent twice by a fault',
      [
        callback(1, { fault: fault('twice', 'amount 7002') }),
        callback(1, { fault: fault('twice', 'amount 7002') }),
      ],
      ' Callbacks were sent twice, because of amount 7002.',
    ],
    [
      'sent again on the page',
      [callback(1), callback(9, { source: 'page' })],
      ' Both callbacks were delivered. One was sent by hand.',
    ],
    [
      'given up, and then sent by hand',
      [callback(1, { ...failed, isGivenUp: true }), callback(9, { source: 'page' })],
      ' Its callback was delivered. One was sent by hand.',
    ],
    [
      'sent again by code, and twice on the page',
      [callback(1), ...(['page', 'code', 'page'] as const).map((source) => callback(9, { source }))],
      ' All 4 callbacks were delivered. 2 were sent by hand. One was sent by code.',
    ],
  ])('%s', (_name, callbacks, sentence) => {
    expect(told([...paid, ...callbacks])).toBe(`Paid after 1 s.${sentence}`)
  })
})
