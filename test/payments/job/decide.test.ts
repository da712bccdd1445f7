import { describe, expect, test } from 'vitest'
import {
  afterCreate,
  afterLook,
  type CreateResult,
  type LookResult,
} from '../../../src/payments/job/decide.js'
import type { PaymentJobState } from '../../../src/payments/job/index.js'

const gaps = { firstPollMs: 5_000, longestPollMs: 600_000, now: 1_000_000, random: 0.5 }
const state = (more: Partial<PaymentJobState> = {}): PaymentJobState => ({
  v: 1,
  step: 'create',
  sent: 'no',
  starts: 1,
  tries: 0,
  ...more,
})
const following = state({ step: 'follow', sent: 'accepted', tries: 1 })

type Failing = Extract<CreateResult, { kind: 'failed' }>
const failed = (code: Failing['code'], outcome?: Failing['outcome'], retryAfterMs?: number): Failing => ({
  kind: 'failed',
  code,
  outcome,
  retryAfterMs,
})

describe('after a create', () => {
  const found = (final: boolean, existedBefore = false) => ({ kind: 'found', final, existedBefore }) as const
  test.each<[string, PaymentJobState['sent'], CreateResult, object]>([
    [
      'accepted: follow it',
      'no',
      { kind: 'accepted' },
      { then: 'again', because: 'following', afterMs: 5_000 },
    ],
    ['found final', 'maybe', found(true), { then: 'done', final: true }],
    ['its own answer was lost', 'no', found(true), { then: 'done', final: true }],
    [
      'there before, and an earlier run may have made it',
      'maybe',
      found(true, true),
      { then: 'done', final: true },
    ],
    [
      'there before anybody sent it',
      'no',
      found(true, true),
      { then: 'stop', because: 'look', state: { step: 'create', sent: 'accepted' } },
    ],
    [
      'there before anybody sent it, and not final',
      'no',
      found(false, true),
      { then: 'stop', because: 'look' },
    ],
    ['found and not final', 'maybe', found(false), { then: 'again', because: 'following' }],
    [
      'refused, and nobody sent it',
      'no',
      failed('invalid_request', 'not-accepted'),
      { then: 'stop', because: 'refused' },
    ],
    [
      'refused, and somebody may have',
      'maybe',
      failed('invalid_request', 'not-accepted'),
      { then: 'stop', because: 'look' },
    ],
    [
      'refused, and it is there',
      'accepted',
      failed('invalid_request', 'not-accepted'),
      { then: 'stop', because: 'look' },
    ],
    ['certainly wrong', 'no', failed('invalid_input', 'not-accepted'), { then: 'stop', because: 'refused' }],
    [
      'certainly wrong after a loss',
      'maybe',
      failed('invalid_input', 'not-accepted'),
      { then: 'stop', because: 'look' },
    ],
    [
      'another payout has the id',
      'no',
      failed('idempotency_conflict', 'accepted'),
      { then: 'stop', because: 'conflict' },
    ],
    ['no answer', 'no', failed('timeout', 'unknown'), { then: 'again', because: 'unanswered', afterMs: 500 }],
    [
      'an answer of no use',
      'no',
      failed('unusable_response', 'unknown'),
      { then: 'again', because: 'unanswered' },
    ],
    [
      'a refusal that came after a doubt',
      'no',
      failed('invalid_request', 'unknown'),
      { then: 'again', because: 'unanswered' },
    ],
    [
      '409, and the look-up failed',
      'no',
      failed('server', 'accepted'),
      { then: 'again', because: 'unanswered' },
    ],
    [
      'money that the client is not for',
      'no',
      { ...failed('configuration', 'accepted'), isOtherMoney: true },
      { then: 'stop', because: 'look', state: { step: 'create', sent: 'accepted' } },
    ],
    [
      'not sent again, since others were real, after an answer that was lost',
      'no',
      { ...failed('configuration', 'unknown'), isOtherMoney: true },
      { then: 'stop', because: 'look', state: { step: 'create', sent: 'maybe' } },
    ],
    [
      'never connected',
      'no',
      failed('connection', 'not-accepted'),
      { then: 'again', because: 'unavailable' },
    ],
    [
      '429 for too long',
      'no',
      failed('rate_limit', 'not-accepted', 7_000),
      { then: 'again', because: 'unavailable', afterMs: 7_000 },
    ],
    [
      'asked to wait for a day',
      'no',
      failed('rate_limit', 'not-accepted', 86_400_000),
      { then: 'again', afterMs: 3_600_000 },
    ],
    ['too many wait', 'no', failed('queue_full', 'not-accepted'), { then: 'again', because: 'unavailable' }],
    [
      'a wrong key',
      'no',
      failed('authentication', 'not-accepted'),
      { then: 'again', because: 'setup', afterMs: 15_000 },
    ],
    ['not allowed', 'no', failed('permission', 'not-accepted'), { then: 'again', because: 'setup' }],
    ['a wrong address', 'no', failed('not_found', 'not-accepted'), { then: 'again', because: 'setup' }],
    ['a signer that fails', 'no', failed('signing', 'not-accepted'), { then: 'again', because: 'setup' }],
    [
      'ended from outside',
      'no',
      failed('aborted', 'not-accepted'),
      { then: 'again', because: 'aborted', afterMs: 0 },
    ],
    [
      'the client was closed',
      'no',
      failed('client_closed', 'not-accepted'),
      { then: 'again', because: 'setup' },
    ],
  ])('%s (sent: %s)', (_, sent, result, expected) => {
    expect(afterCreate(state({ sent }), result, gaps)).toMatchObject(expected)
  })

  test.each<[PaymentJobState['sent'], CreateResult, PaymentJobState['sent'], PaymentJobState['step']]>([
    ['no', { kind: 'accepted' }, 'accepted', 'follow'],
    ['no', failed('timeout', 'unknown'), 'maybe', 'create'],
    ['no', failed('connection', 'not-accepted'), 'no', 'create'],
    ['maybe', failed('connection', 'not-accepted'), 'maybe', 'create'],
    ['accepted', failed('timeout', 'unknown'), 'accepted', 'create'],
    // Found under the id, and not shown to be the one that was asked for: a create compares it, a look would not.
    ['no', failed('server', 'accepted'), 'accepted', 'create'],
    ['no', failed('aborted', 'unknown'), 'maybe', 'create'],
  ])('of %s, %o leaves %s and goes on with %s', (sent, result, after, step) => {
    expect(afterCreate(state({ sent }), result, gaps)).toMatchObject({ state: { sent: after, step } })
  })

  test('the gaps double up to a minute', () => {
    const at = (tries: number) => afterCreate(state({ tries }), failed('timeout', 'unknown'), gaps)
    expect(at(1)).toMatchObject({ afterMs: 1_000, state: { tries: 2 } })
    expect(at(5)).toMatchObject({ afterMs: 16_000 })
    expect(at(1000)).toMatchObject({ afterMs: 60_000 })
  })
})

describe('after a look', () => {
  test.each<[string, LookResult, object]>([
    ['final', { kind: 'found', final: true }, { then: 'done', final: true }],
    ['not final', { kind: 'found', final: false }, { then: 'again', because: 'following', afterMs: 10_000 }],
    ['not there for a moment', failed('not_found'), { then: 'again', because: 'following', afterMs: 10_000 }],
    ['no answer', failed('timeout'), { then: 'again', because: 'following' }],
    ['refused', failed('invalid_request'), { then: 'again', because: 'following' }],
    ['a wrong key', failed('authentication'), { then: 'again', because: 'setup' }],
    ['ended from outside', failed('aborted'), { then: 'again', because: 'aborted', afterMs: 0 }],
    ['an id that can be none', failed('invalid_input'), { then: 'stop', because: 'look' }],
    [
      'money that the client is not for',
      { ...failed('configuration'), isOtherMoney: true },
      { then: 'stop', because: 'look', state: following },
    ],
  ])('%s', (_, result, expected) => {
    const decision = afterLook(following, result, gaps)
    expect(decision).toMatchObject(expected)
    if (decision.then === 'again') expect(decision.state).toMatchObject({ step: 'follow', sent: 'accepted' })
  })

  test('the gaps double up to the longest, a fifth more or less', () => {
    const at = (tries: number, random = 0.5) =>
      afterLook({ ...following, tries }, { kind: 'found', final: false }, { ...gaps, random })
    expect(at(3)).toMatchObject({ afterMs: 40_000 })
    expect(at(100)).toMatchObject({ afterMs: 600_000 })
    expect(at(100, 0)).toMatchObject({ afterMs: 480_000 })
    expect(at(100, 1)).toMatchObject({ afterMs: 720_000 })
  })
})
