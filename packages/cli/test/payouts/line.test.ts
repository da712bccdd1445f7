import { IdempotencyConflictError, InvalidInputError, type Payout } from 'merchant-gateway'
import type { PaymentJobState } from 'merchant-gateway/jobs'
import { expect, test } from 'vitest'
import { type Again, nextStep, outcomeOf, patienceFor, type Verdict } from '../../src/payouts/line.js'
import type { Outcome } from '../../src/payouts/results.js'
import type { State } from '../../src/payouts/states.js'

type Step = ReturnType<typeof nextStep>

test.each<[State, asItWas: Step, changed: Step, retry: Step, adoptExisting: Step]>([
  ['waiting', 'send', 'send', 'send', 'send'],
  ['unknown', 'send', 'stop', 'send', 'send'],
  ['accepted', 'follow', 'stop', 'follow', 'follow'],
  ['paid', 'leave', 'stop', 'leave', 'leave'],
  ['failed', 'leave', 'stop', 'leave', 'leave'],
  ['refused', 'leave', 'send', 'send', 'leave'],
  ['review', 'leave', 'stop', 'leave', 'send'],
  ['conflict', 'leave', 'stop', 'leave', 'leave'],
])(
  'the next step of a line that is %s: %s; changed: %s; --retry: %s; --adopt-existing: %s',
  (state, ...steps) => {
    expect([
      nextStep(state, false, {}),
      nextStep(state, true, { retry: false, adoptExisting: false }),
      nextStep(state, false, { retry: true }),
      nextStep(state, false, { adoptExisting: true }),
    ]).toEqual(steps)
  },
)

const payout = (status: string, createdAt = '2026-11-27T10:00:00Z'): Payout => ({
  paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
  process: { status, createdAt, processedAt: '2026-11-27T10:00:01Z' },
  fee: { amount: 1, currencyCode: 'EUR' },
  paymentMethodResponse: { idPayout: 'w-1' },
})
const state = (
  step: 'create' | 'follow',
  outcome: PaymentJobState['outcome'] = 'unknown',
): PaymentJobState => ({
  v: 1,
  step,
  outcome,
  starts: 1,
  tries: 1,
})
const again = (because: Again['because'], next: PaymentJobState): Again => ({
  then: 'again',
  because,
  afterMs: 1000,
  state: next,
})
const done = (payment: Payout): Verdict => ({ then: 'done', final: true, payment })
const refusal = new InvalidInputError('amount is wrong.')
const conflict = new IdempotencyConflictError('it asks for other money.', {
  idPayout: 'w-1',
  outcome: 'accepted',
  status: 409,
  attempts: 1,
  differences: ['money'],
})
const stop = (because: 'refused' | 'review' | 'conflict', payment?: Payout): Verdict => ({
  then: 'stop',
  because,
  error: because === 'conflict' ? conflict : refusal,
  state: state('create'),
  ...(payment === undefined ? {} : { payment }),
})
const [followed, sentBefore] = [true, '2026-11-27T09:00:00Z']

test.each<[string, Parameters<typeof outcomeOf>, Partial<Outcome> | undefined]>([
  ['is accepted', [again('following', state('follow')), false, undefined], { state: 'accepted' }],
  ['is still not final', [again('following', state('follow')), followed, undefined], undefined],
  ['has no response', [again('unanswered', state('create')), false, undefined], undefined],
  ['is paid', [done(payout('SUCCESS')), followed, undefined], { state: 'paid', fee: '1.00' }],
  ['has failed', [done(payout('FAILED')), followed, undefined], { state: 'failed', status: 'FAILED' }],
  ['was sent by a run that was killed', [done(payout('SUCCESS')), false, sentBefore], { state: 'paid' }],
  [
    'was there long before that run',
    [done(payout('SUCCESS', '2026-11-25T10:00:00Z')), false, sentBefore],
    { state: 'review', reason: expect.stringContaining('since 2026-11-25T10:00:00Z') },
  ],
  [
    'is refused',
    [stop('refused'), false, undefined],
    { state: 'refused', reason: expect.stringContaining('amount is wrong.') },
  ],
  [
    'was there before',
    [stop('review', payout('SUCCESS')), false, undefined],
    { state: 'review', reason: expect.stringContaining('--adopt-existing') },
  ],
  ['is another one', [stop('conflict'), false, undefined], { state: 'conflict' }],
])('what the results file says of a payout that %s', (_, args, outcome) => {
  const noted = outcomeOf(...args)
  if (outcome === undefined) expect(noted).toBeUndefined()
  else expect(noted).toMatchObject(outcome)
})

const notSent = again('unavailable', state('create', 'not-accepted'))

test.each<[string, Parameters<typeof patienceFor>, number | undefined]>([
  ['ended it itself', [again('aborted', state('create')), 'aborted', false], undefined],
  ['can not see it yet', [again('following', state('follow')), 'not_found', false], undefined],
  ['has a client that refuses', [notSent, 'configuration', true], 0],
  ['reaches nobody', [notSent, 'connection', false], 0],
  ['has lost everybody', [notSent, 'connection', true], 1_800_000],
  ['has a refused key', [again('setup', state('create', 'not-accepted')), 'authentication', false], 0],
  ['waits for its first response', [again('unanswered', state('create')), 'timeout', false], 30_000],
  ['waits for one again', [again('unanswered', state('create')), 'timeout', true], 1_800_000],
])('how long a run goes on that %s', (_, args, ms) => {
  expect(patienceFor(...args)).toBe(ms)
})
