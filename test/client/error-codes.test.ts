import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/client/error-codes.js'
import { outcomeOf } from '../../src/client/http/outcome.js'
import { decideRetry } from '../../src/client/http/retry-policy.js'
import { toError } from '../../src/client/http/to-error.js'
import { failureOf, failures } from '../support/failures.js'

const statuses = [302, ...Array.from({ length: 200 }, (_, n) => 400 + n)].map(String)
const ends = [...statuses, ...Object.keys(failures)].filter((name) => !/token/.test(name))
/** These end a call without an attempt of its own: the time is over, or the limiter failed. */
const lastEnds = [
  'no time to wait',
  'no time on the wire',
  'permit expired',
  'paused',
  'limiter',
  'limiter store',
]

function codeAfter(name: string) {
  const failure = failureOf(name)
  const times = { retryAfterMs: undefined, timeoutMs: 1, deadlineMs: 1, nowMs: 0 }
  const asked = { about: { kind: 'account' }, route: 'GET /balances', attempts: 1, secrets: [] } as const
  return toError({ failure, outcome: outcomeOf(failure), ...asked, ...times }).code
}

describe('the table of codes', () => {
  it.each(ends)('knows the outcome after %s, and whether the client tries again', (name) => {
    const meaning = errorCodes[codeAfter(name)]
    expect(meaning.outcomes).toContain(outcomeOf(failureOf(name)))
    if (lastEnds.includes(name)) return
    const situation = { attempt: 1, retries: 4, remainingMs: 60_000, pausedMs: 0, nowMs: 0, random: 0.5 }
    const more = { canRemint: false, retryNotFound: false, repeatable: true }
    const isRetried = decideRetry(failureOf(name), { ...situation, ...more }).action === 'retry'
    expect(meaning.passes === 'in-call').toBe(isRetried)
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
