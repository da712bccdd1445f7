import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/client/error-codes.js'
import type { Failure } from '../../src/client/http/failure.js'
import { outcomeOf } from '../../src/client/http/outcome.js'
import { decideRetry } from '../../src/client/http/retry-policy.js'
import { toError } from '../../src/client/http/to-error.js'
import { answered, notSent, response, wasSent } from '../support/failures.js'

const cause = new Error('why')
/** What can end an attempt. */
const ends: readonly Failure[] = [
  ...[302, ...Array.from({ length: 200 }, (_, n) => 400 + n)].map((status) => answered(status)),
  ...[200, 400, 409, 500].map((status): Failure => ({ kind: 'too-large', response: response(status) })),
  { kind: 'unusable', response: response(200), issues: [] },
  { kind: 'unusable', response: response(200), issues: [], shows: 'asked' },
  ...[notSent, wasSent].flatMap((sent): Failure[] => [
    { kind: 'connection', ...sent, cause },
    { kind: 'timeout', ...sent },
    { kind: 'aborted', ...sent, cause },
  ]),
  { kind: 'queue-full' },
  { kind: 'closed' },
  { kind: 'withheld', why: 'x', advice: 'y', option: 'live' },
  { kind: 'unloadable', cause },
  { kind: 'signing', cause },
]
/** What ends a call without an attempt of its own: the time is over, or the limiter failed. */
const lastEnds: readonly Failure[] = [
  { kind: 'deadline', ...notSent, while: 'waiting for a permit' },
  { kind: 'deadline', ...wasSent, while: 'waiting for the response' },
  { kind: 'permit-expired' },
  { kind: 'paused', retryAfterMs: 1 },
  { kind: 'limiter', cause },
]

function codeAfter(failure: Failure) {
  const times = { retryAfterMs: undefined, timeoutMs: 1, deadlineMs: 1, nowMs: 0 }
  const asked = { about: { kind: 'account' }, route: 'GET /balances', attempts: 1, secrets: [] } as const
  return toError({ failure, outcome: outcomeOf(failure), ...asked, ...times }).code
}

describe('the table of codes', () => {
  it.each([...ends, ...lastEnds])('knows the outcome after %j', (failure) => {
    expect(errorCodes[codeAfter(failure)].outcomes).toContain(outcomeOf(failure))
  })

  it.each(ends)('says whether the client tries again after %j', (failure) => {
    const situation = { attempt: 1, retries: 4, remainingMs: 60_000, pausedMs: 0, nowMs: 0, random: 0.5 }
    const more = { canRemint: false, retryNotFound: false, repeatable: true }
    const isRetried = decideRetry(failure, { ...situation, ...more }).action === 'retry'
    expect(errorCodes[codeAfter(failure)].passes === 'in-call').toBe(isRetried)
  })

  it.each(Object.entries(errorCodes))(
    'has columns of %s that agree',
    (_, { passes, next, job, outcomes }) => {
      // What passes within a call needs nobody, and a job waits for it as well.
      if (passes === 'in-call') expect({ next, job }).toEqual({ next: 'again', job: 'unavailable' })
      // A job that stops has somebody look, so nothing passes by itself.
      if (job === 'refused' || job === 'conflict')
        expect({ next, passes }).toEqual({ next: 'mend', passes: 'no' })
      if (job === 'refused') expect(outcomes).toEqual(['not-accepted'])
    },
  )
})
