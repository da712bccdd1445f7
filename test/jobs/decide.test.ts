import { describe, expect, test } from 'vitest'
import {
  afterCreate,
  afterStatusRequest,
  type CreateResult,
  type StatusResult,
} from '../../src/jobs/decide.js'
import type { PaymentJobState } from '../../src/jobs/index.js'

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

/** A failure after which the gateway has no payment. */
const refused = (code: Failing['code'], retryAfterMs?: number) => failed(code, 'not-accepted', retryAfterMs)
const otherMoney = (outcome?: Failing['outcome']): Failing => ({
  ...failed('configuration', outcome),
  isOtherMoney: true,
})

const done = { then: 'done', final: true }
const again = (because: string, afterMs: unknown = expect.any(Number)) => ({
  then: 'again',
  because,
  afterMs,
})
const stop = (because: string, sent: unknown = expect.any(String)) => ({
  then: 'stop',
  because,
  state: { step: 'create', sent },
})

describe('after a create', () => {
  const found = (final: boolean, existedBefore = false) => ({ kind: 'found', final, existedBefore }) as const
  const review = stop('review')
  test.each<[string, PaymentJobState['sent'], CreateResult, object]>([
    ['accepted: follow it', 'no', { kind: 'accepted' }, again('following', 5_000)],
    ['found final', 'maybe', found(true), done],
    ['its own response was lost', 'no', found(true), done],
    ['there before, and an earlier run may have made it', 'maybe', found(true, true), done],
    ['there before anybody sent it', 'no', found(true, true), stop('review', 'accepted')],
    ['there before anybody sent it, and not final', 'no', found(false, true), review],
    ['found and not final', 'maybe', found(false), again('following')],
    ['refused, and nobody sent it', 'no', refused('invalid_request'), stop('refused')],
    ['refused, and somebody may have', 'maybe', refused('invalid_request'), review],
    ['refused, and it is there', 'accepted', refused('invalid_request'), review],
    ['certainly wrong', 'no', refused('invalid_input'), stop('refused')],
    ['certainly wrong after a loss', 'maybe', refused('invalid_input'), review],
    ['another payout has the id', 'no', failed('idempotency_conflict', 'accepted'), stop('conflict')],
    ['no response', 'no', failed('timeout', 'unknown'), again('unanswered', 500)],
    ['a response of no use', 'no', failed('unusable_response', 'unknown'), again('unanswered')],
    ['a refusal that came after a doubt', 'no', failed('invalid_request', 'unknown'), again('unanswered')],
    ['409, and the lookup failed', 'no', failed('server', 'accepted'), again('unanswered')],
    ['money that the client is not for', 'no', otherMoney('accepted'), stop('review', 'accepted')],
    [
      'not sent again, since others were real, after a response that was lost',
      'no',
      otherMoney('unknown'),
      stop('review', 'maybe'),
    ],
    ['never connected', 'no', refused('connection'), again('unavailable')],
    ['429 for too long', 'no', refused('rate_limit', 7_000), again('unavailable', 7_000)],
    ['asked to wait for a day', 'no', refused('rate_limit', 86_400_000), again('unavailable', 3_600_000)],
    ['too many wait', 'no', refused('queue_full'), again('unavailable')],
    ['a wrong key', 'no', refused('authentication'), again('setup', 15_000)],
    ['not allowed', 'no', refused('permission'), again('setup')],
    ['a wrong address', 'no', refused('not_found'), again('setup')],
    ['a signer that fails', 'no', refused('signing'), again('setup')],
    ['ended from outside', 'no', refused('aborted'), again('aborted', 0)],
    ['the client was closed', 'no', refused('client_closed'), again('setup')],
  ])('%s (sent: %s)', (_, sent, result, expected) => {
    expect(afterCreate(state({ sent }), result, gaps)).toMatchObject(expected)
  })

  test.each<[PaymentJobState['sent'], CreateResult, PaymentJobState['sent'], PaymentJobState['step']]>([
    ['no', { kind: 'accepted' }, 'accepted', 'follow'],
    ['no', failed('timeout', 'unknown'), 'maybe', 'create'],
    ['no', failed('connection', 'not-accepted'), 'no', 'create'],
    ['maybe', failed('connection', 'not-accepted'), 'maybe', 'create'],
    ['accepted', failed('timeout', 'unknown'), 'accepted', 'create'],
    // Found under the id, and not shown to be the one that was asked for: a create compares it, a status request would not.
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

describe('after a status request', () => {
  test.each<[string, StatusResult, object]>([
    ['final', { kind: 'found', final: true }, done],
    ['not final', { kind: 'found', final: false }, again('following', 10_000)],
    ['not there for a moment', failed('not_found'), again('following', 10_000)],
    ['no response', failed('timeout'), again('following')],
    ['refused', failed('invalid_request'), again('following')],
    ['a wrong key', failed('authentication'), again('setup')],
    ['ended from outside', failed('aborted'), again('aborted', 0)],
    ['an id that can be none', failed('invalid_input'), { then: 'stop', because: 'review' }],
    ['money that the client is not for', otherMoney(), { then: 'stop', because: 'review', state: following }],
  ])('%s', (_, result, expected) => {
    const decision = afterStatusRequest(following, result, gaps)
    expect(decision).toMatchObject(expected)
    if (decision.then === 'again') expect(decision.state).toMatchObject({ step: 'follow', sent: 'accepted' })
  })

  test('the gaps double up to the longest, a fifth more or less', () => {
    const at = (tries: number, random = 0.5) =>
      afterStatusRequest({ ...following, tries }, { kind: 'found', final: false }, { ...gaps, random })
    expect(at(3)).toMatchObject({ afterMs: 40_000 })
    expect(at(100)).toMatchObject({ afterMs: 600_000 })
    expect(at(100, 0)).toMatchObject({ afterMs: 480_000 })
    expect(at(100, 1)).toMatchObject({ afterMs: 720_000 })
  })
})
