import {
  AbortedError,
  ClientClosedError,
  ConfigurationError,
  ConnectionError,
  type GatewayError,
  QueueFullError,
  RateLimitError,
  SigningError,
  TimeoutError,
  UnusableResponseError,
} from '../errors.js'
import { type Hide, hiding } from '../redact.js'
import type { Failed, Failure } from './failure.js'
import { meaningOf } from './meaning.js'
import { type CallErrorDetails, readRefusal, type Say, statusError } from './status-error.js'
import { cleanCause } from './transport/connect-errors.js'

/** One failure, said in one sentence: what happened, what it means for the money, what to do next. */
export function toError(failed: Failed): GatewayError {
  const { failure, outcome, about, route, attempts, retryAfterMs } = failed
  const { sentence, details } = meaningOf(about, outcome)
  const base: CallErrorDetails = { ...details, attempts, retryAfterMs }
  const say = (what: string, advice?: string) =>
    `${route}: ${what}${attempts > 1 ? ` (attempt ${attempts})` : ''}; ${advice === undefined ? '' : `${advice}; `}${sentence}.`
  const hide = hiding(failed.secrets)
  const unsent = outcome === 'not-accepted' ? ', so nothing was sent' : ''
  const outOfTime = (during: string) =>
    new TimeoutError(say(`deadlineMs (${failed.deadlineMs} ms) passed while ${during}`), base)
  switch (failure.kind) {
    case 'response':
      return statusError(failure.response, say, base, failed, hide)
    case 'unusable':
      return new UnusableResponseError(
        say(
          `the gateway answered ${failure.response.status} with a body that can't be used${listed(failure.issues.map(hide))}`,
          // A web page: of another server, a proxy or a login.
          /^\s*</.test(failure.response.body) ? 'check baseUrl' : undefined,
        ),
        {
          ...base,
          ...readRefusal(failure.response, failed, hide, base).details,
          issues: failure.issues.map(hide),
        },
      )
    case 'too-large':
      return new UnusableResponseError(
        say('the response is larger than maxResponseBytes', 'raise that if the gateway means it'),
        {
          ...base,
          status: failure.response.status,
          issues: ['body: larger than maxResponseBytes'],
        },
      )
    case 'connection':
      return new ConnectionError(
        say(failure.sent ? 'the connection broke' : 'no connection could be made', failure.advice),
        base,
        cleanCause(failure.cause, hide),
      )
    case 'limiter':
      return new ConnectionError(
        isStoreAway(failure.cause)
          ? say(`the store of the shared budget was away${unsent}`, 'see error.cause and its cause')
          : say(`the limiter given as rateLimit failed${unsent}`, 'see error.cause'),
        base,
        failure.cause,
      )
    case 'timeout':
      return new TimeoutError(say(`no full response within timeoutMs (${failed.timeoutMs} ms)`), base)
    case 'deadline':
      return outOfTime(failure.while)
    case 'permit-expired':
      return outOfTime('waiting for a permit')
    case 'aborted':
      return new AbortedError(
        say(
          `the caller's signal fired ${outcome === 'not-accepted' ? 'before anything was sent' : 'after a request was sent'}`,
        ),
        base,
        failure.cause,
      )
    case 'queue-full':
      return new QueueFullError(
        say('more calls wait for the rate limit than maxQueued allows', 'try again when fewer are waiting'),
        base,
      )
    case 'paused':
      return new RateLimitError(
        say(
          `the gateway said 429 and asked to wait for longer than deadlineMs${unsent}`,
          `try again after ${Math.ceil(failure.retryAfterMs / 1000)} s`,
        ),
        { ...base, retryAfterMs: failure.retryAfterMs },
      )
    case 'closed':
      return new ClientClosedError(say('the client was closed'), base)
    case 'withheld':
      return new ConfigurationError(say(`${failure.why}${unsent}`, failure.advice), {
        ...base,
        option: failure.option,
      })
    case 'unloadable':
      return new ConfigurationError(
        say(
          `what sends requests could not be loaded${unsent}`,
          isAbsent(failure.cause)
            ? 'install undici beside this package'
            : 'undici is there and does not run: see error.cause, and docs/bundling.md where a bundler took it in',
        ),
        base,
        failure.cause,
      )
    case 'signing':
      return new SigningError(
        failure.gave === undefined
          ? say(
              `${refusedBy(failure.cause) ?? 'the token request could not be signed'}${unsent}`,
              unreachable(failure.cause) ?? 'error.cause is what the signer threw',
            )
          : say(
              `the signer gave ${failure.gave} in place of a signature${unsent}`,
              'it has to give the raw signature as a Uint8Array, so decode one that is base64',
            ),
        base,
        failure.cause,
      )
    case 'no-token':
      return noToken(failure, say, base, hide)
    case 'token': {
      const { request } = failure
      return toError({ ...request, outcome, about, secrets: [...failed.secrets, ...request.secrets] })
    }
  }
}

/** Node says it by a code, as an ES module and as CommonJS. */
function isAbsent(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}

/** By its name: the budgets are entries of their own, and each carries its copy of the class. */
function isStoreAway(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'RateLimitStoreError'
}

/** What the policy of a signer forbids, by the name of its error as well. */
function refusedBy(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || cause.name !== 'SignerRefusal' || !('rule' in cause)) return undefined
  return `the signer refused it by its rule "${cause.rule}": ${cause.message}`
}

/** Why a `policySigner` had no response. What other signers throw may hold what no log should. */
function unreachable(cause: unknown): string | undefined {
  return cause instanceof Error && cause.name === 'SignerUnreachableError' ? cause.message : undefined
}

/** Paths and expectations, never values; a few are enough to see what is wrong. */
function listed(issues: readonly string[]): string {
  if (issues.length === 0) return ''
  return ` (${issues.slice(0, 3).join(', ')}${issues.length > 3 ? ', …' : ''})`
}

function noToken(
  { fields, tooLong }: Extract<Failure, { kind: 'no-token' }>,
  say: Say,
  base: CallErrorDetails,
  hide: Hide,
): GatewayError {
  if (tooLong === true) {
    return new UnusableResponseError(
      say(
        'the token in the response has more than 8192 characters, which no request could carry',
        'ask the platform for a shorter one',
      ),
      { ...base, issues: ['token: longer than 8192 characters'] },
    )
  }
  return new UnusableResponseError(
    say(
      `no token found in the response, whose fields are ${hide(fields.join(', ')) || 'none'}`,
      'name the field in the option tokenField',
    ),
    { ...base, issues: fields.map((name) => `${hide(name)}: no token`) },
  )
}
