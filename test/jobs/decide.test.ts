import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../src/index.js'
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
  outcome: 'not-accepted',
  starts: 1,
  tries: 0,
  ...more,
})
const following = state({ step: 'follow', outcome: 'accepted', tries: 1 })

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
const stop = (because: string, outcome: unknown = expect.any(String)) => ({
  then: 'stop',
  because,
  state: { step: 'create', outcome },
})

describe('after a create', () => {
  const found = (final: boolean, existedBefore = false) => ({ kind: 'found', final, existedBefore }) as const
  const review = stop('review')
  test.each<[string, Outcome, CreateResult, object]>([
    ['accepted: follow it', 'not-accepted', { kind: 'accepted' }, again('following', 5_000)],
    ['found final', 'unknown', found(true), done],
    ['its own response was lost', 'not-accepted', found(true), done],
    ['there before, and an earlier run may have made it', 'unknown', found(true, true), done],
    ['there before anybody sent it', 'not-accepted', found(true, true), stop('review', 'accepted')],
    ['there before anybody sent it, and not final', 'not-accepted', found(false, true), review],
    ['found and not final', 'unknown', found(false), again('following')],
    ['refused, and nobody sent it', 'not-accepted', refused('invalid_request'), stop('refused')],
    ['refused, and somebody may have', 'unknown', refused('invalid_request'), review],
    ['refused, and it is there', 'accepted', refused('invalid_request'), review],
    ['certainly wrong', 'not-accepted', refused('invalid_input'), stop('refused')],
    ['certainly wrong after a loss', 'unknown', refused('invalid_input'), review],
    ['another has the id', 'not-accepted', failed('idempotency_conflict', 'accepted'), stop('conflict')],
    ['no response', 'not-accepted', failed('timeout', 'unknown'), again('unanswered', 500)],
    ['a response of no use', 'not-accepted', failed('unusable_response', 'unknown'), again('unanswered')],
    ['a refusal after a doubt', 'not-accepted', failed('invalid_request', 'unknown'), again('unanswered')],
    ['409, and the lookup failed', 'not-accepted', failed('server', 'accepted'), again('unanswered')],
    ['money that the client is not for', 'not-accepted', otherMoney('accepted'), stop('review', 'accepted')],
    [
      'not sent again, since others were real, after a response that was lost',
      'not-accepted',
      otherMoney('unknown'),
      stop('review', 'unknown'),
    ],
    ['never connected', 'not-accepted', refused('connection'), again('unavailable')],
    ['429 for too long', 'not-accepted', refused('rate_limit', 7_000), again('unavailable', 7_000)],
    ['wait for a day', 'not-accepted', refused('rate_limit', 86_400_000), again('unavailable', 3_600_000)],
    ['too many wait', 'not-accepted', refused('queue_full'), again('unavailable')],
    ['a wrong key', 'not-accepted', refused('authentication'), again('setup', 15_000)],
    ['not allowed', 'not-accepted', refused('permission'), again('setup')],
    ['a wrong address', 'not-accepted', refused('not_found'), again('setup')],
    ['a signer that fails', 'not-accepted', refused('signing'), again('setup')],
    ['ended from outside', 'not-accepted', refused('aborted'), again('aborted', 0)],
    ['the client was closed', 'not-accepted', refused('client_closed'), again('setup')],
  ])('%s (%s)', (_, outcome, result, expected) => {
    expect(afterCreate(state({ outcome }), result, gaps)).toMatchObject(expected)
  })

  test.each<[Outcome, CreateResult, Outcome, PaymentJobState['step']]>([
    ['not-accepted', { kind: 'accepted' }, 'accepted', 'follow'],
    ['not-accepted', failed('timeout', 'unknown'), 'unknown', 'create'],
    ['not-accepted', failed('connection', 'not-accepted'), 'not-accepted', 'create'],
    ['unknown', failed('connection', 'not-accepted'), 'unknown', 'create'],
    ['accepted', failed('timeout', 'unknown'), 'accepted', 'create'],
    // Found under the id, and not shown to be the one that was asked for: a create compares it, a status request would not.
    ['not-accepted', failed('server', 'accepted'), 'accepted', 'create'],
    ['not-accepted', failed('aborted', 'unknown'), 'unknown', 'create'],
  ])('of %s, %o leaves %s and goes on with %s', (outcome, result, after, step) => {
    expect(afterCreate(state({ outcome }), result, gaps)).toMatchObject({ state: { outcome: after, step } })
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
    if (decision.then === 'again')
      expect(decision.state).toMatchObject({ step: 'follow', outcome: 'accepted' })
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
