import {
  AbortedError,
  AuthenticationError,
  ClientClosedError,
  ConfigurationError,
  ConnectionError,
  type GatewayError,
  type GatewayErrorDetails,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  QueueFullError,
  RateLimitError,
  ServerError,
  SigningError,
  TimeoutError,
  UnusableResponseError,
} from '../errors.js'
import { hiding } from '../redact.js'
import type { Failed, TransportResponse } from './failure.js'
import { meaningOf } from './meaning.js'
import { refuses } from './outcome.js'
import { pointsTo, type RefusalDetails, readRefusal } from './refusal.js'
import { clockAheadMs } from './retry-policy.js'
import { cleanCause } from './transport/connect-errors.js'

type Details = GatewayErrorDetails & { readonly retryAfterMs: number | undefined }

type Say = (what: string, ...advice: readonly (string | undefined)[]) => string

export function toError(failed: Failed): GatewayError {
  const { failure, outcome, about, route, attempts, retryAfterMs } = failed
  const { details, money, again } = meaningOf(about, outcome)
  const base: Details = { ...details, attempts, retryAfterMs }
  const say: Say = (what, ...advice) => {
    const happened = attempts > 1 ? `${what} (attempt ${attempts})` : what
    const parts = [happened, money, ...advice, again].filter((part) => part !== undefined)
    return `${route}: ${parts.join('; ')}.`
  }
  const hide = hiding(failed.secrets)
  const unsent = outcome === 'not-accepted' ? ', so nothing was sent' : ''
  switch (failure.kind) {
    case 'response': {
      const { status } = failure.response
      const { details, said, form } = readRefusal(failure.response, failed, hide, base)
      const known = { ...base, ...details }
      if (status < 400) {
        const what = `the gateway answered ${status}${pointsTo(failure.response, hide)}, and redirects are not followed`
        return new UnusableResponseError(say(what, 'check baseUrl'), {
          ...known,
          issues: [`status: ${status}`],
        })
      }
      const explained = explain(failure.response, failed)
      const { what, advice } = form === 'html' ? fromBetween : explained
      const quoted = said === undefined ? '' : ` ("${said}")`
      const doubt =
        form === 'text' ? 'the body is no JSON, so a proxy or firewall may have answered' : undefined
      return explained.error(say(`${what} (${status})${quoted}`, advice, doubt), known)
    }
    case 'unusable': {
      const { response } = failure
      const issues = failure.issues.map(hide)
      const what = `the gateway answered ${response.status} with a body that can't be used${listed(issues)}`
      const advice = /^\s*</.test(response.body) ? 'check baseUrl' : undefined
      const shown = readRefusal(response, failed, hide, base).details
      return new UnusableResponseError(say(what, advice), { ...base, ...shown, issues })
    }
    case 'too-large': {
      const { status } = failure.response
      const message = say(
        'the response is larger than maxResponseBytes',
        'raise that if the gateway means it',
      )
      const issues = ['body: larger than maxResponseBytes']
      return new UnusableResponseError(message, { ...base, status, issues })
    }
    case 'no-token': {
      const { fields, tooLong = false } = failure
      const [what, advice] = tooLong
        ? [
            'the token in the response has more than 8192 characters, which no request could carry',
            'ask the platform for a shorter one',
          ]
        : [
            `no token found in the response, whose fields are ${hide(fields.join(', ')) || 'none'}`,
            'name the field in the option tokenField',
          ]
      const issues = tooLong
        ? ['token: longer than 8192 characters']
        : fields.map((name) => `${hide(name)}: no token`)
      return new UnusableResponseError(say(what, advice), { ...base, issues })
    }
    case 'connection': {
      const what = failure.sent ? 'the connection broke' : 'no connection could be made'
      return new ConnectionError(say(what, failure.advice), base, cleanCause(failure.cause, hide))
    }
    case 'limiter': {
      const message = isNamed(failure.cause, 'RateLimitStoreError')
        ? say(`the store of the shared rate limit was away${unsent}`, 'see error.cause and its cause')
        : say(`the limiter given as rateLimit failed${unsent}`, 'see error.cause')
      return new ConnectionError(message, base, failure.cause)
    }
    case 'timeout':
      return new TimeoutError(say(`no full response within timeoutMs (${failed.timeoutMs} ms)`), base)
    case 'deadline':
    case 'permit-expired': {
      const during = failure.kind === 'deadline' ? failure.while : 'waiting for a permit'
      return new TimeoutError(say(`deadlineMs (${failed.deadlineMs} ms) passed while ${during}`), base)
    }
    case 'paused': {
      const what = `the gateway said 429 and asked to wait for longer than deadlineMs${unsent}`
      const { retryAfterMs } = failure
      const advice = `try again after ${inSeconds(retryAfterMs)}`
      return new RateLimitError(say(what, advice), { ...base, retryAfterMs })
    }
    case 'queue-full': {
      const what = 'more calls wait for the rate limit than maxQueued allows'
      return new QueueFullError(say(what, 'try again when fewer are waiting'), base)
    }
    case 'aborted': {
      const when = outcome === 'not-accepted' ? 'before anything was sent' : 'after a request was sent'
      return new AbortedError(say(`the caller's signal fired ${when}`), base, failure.cause)
    }
    case 'closed':
      return new ClientClosedError(say('the client was closed'), base)
    case 'withheld': {
      const { why, advice, option } = failure
      return new ConfigurationError(say(`${why}${unsent}`, advice), { ...base, option })
    }
    case 'unloadable': {
      const advice = isAbsent(failure.cause)
        ? 'install undici beside this package'
        : 'undici is there and does not run: see error.cause, and docs/bundling.md where a bundler took it in'
      const what = `what sends requests could not be loaded${unsent}`
      return new ConfigurationError(say(what, advice), base, failure.cause)
    }
    case 'signing':
      return new SigningError(say(...unsigned(failure, unsent)), base, failure.cause)
    case 'token': {
      const { request } = failure
      // The sentence is about the call that waited for the token.
      return toError({ ...request, outcome, about, secrets: [...failed.secrets, ...request.secrets] })
    }
  }
}

interface Explanation {
  readonly what: string
  readonly advice?: string | undefined
  readonly error: (message: string, known: Details & RefusalDetails) => GatewayError
}

interface Refused extends Failed {
  readonly aheadMs: number | undefined
  readonly hasDate: boolean
}

const byStatus: Readonly<Record<number, (refused: Refused) => Explanation>> = {
  400: ({ credential }) => turnedDown(credential && grantAdvice),
  401: (refused) => ({
    what: 'not authenticated',
    advice: unauthenticated(refused),
    error: (message, known) => new AuthenticationError(message, { ...known, clockAheadMs: refused.aheadMs }),
  }),
  403: ({ credential, route }) => ({
    what:
      credential === undefined
        ? 'the token does not allow this operation'
        : 'the gateway gives this merchant no such token',
    advice:
      credential === undefined
        ? 'check what the merchant account is allowed, and the operations if you set them: a gateway may match them with decoded paths'
        : 'ask the platform what the merchant is allowed',
    error: (message, known) => new PermissionError(message, { ...known, operation: route }),
  }),
  404: () => ({
    what: 'not found',
    advice:
      'the gateway also says this of an API version or a path that it does not know, so check baseUrl if every call gets it',
    error: (message, known) => new NotFoundError(message, known),
  }),
  405: ({ route }) =>
    turnedDown(
      route === 'GET /merchant-info'
        ? "the specification's text says GET and one of its samples POST (section 4, rule 3), so try client.request with POST, and ask the platform"
        : undefined,
    ),
  407: () => turnedDown('a proxy wants to know who asks, so give its credentials to the option dispatcher'),
  422: ({ credential }) => turnedDown(credential && grantAdvice),
  429: ({ retryAfterMs: ms }) => ({
    what: 'over the rate limit',
    advice: `another process may use up the same limit${ms === undefined ? '' : `, and the gateway asks to wait for ${inSeconds(ms)}`}`,
    error: (message, known) => new RateLimitError(message, known),
  }),
}

function explain({ status, headers }: TransportResponse, failed: Failed): Explanation {
  const date = headers.get('date')
  // Only a signature holds the time, so only there seconds matter.
  const aheadMs = clockAheadMs(date, failed.nowMs, failed.credential === 'signature' ? undefined : 60_000)
  const row = byStatus[status]
  if (row !== undefined) return row({ ...failed, aheadMs, hasDate: date !== undefined })
  return refuses(status) ? turnedDown() : undecided(status)
}

const grantAdvice =
  'check merchantCode and tokenValiditySecs, since the gateway may grant no token for that long'

function turnedDown(advice?: string): Explanation {
  const what = 'the gateway refused the request'
  return { what, advice, error: (message, known) => new InvalidRequestError(message, known) }
}

function undecided(status: number): Explanation {
  const what =
    status >= 500 ? 'the gateway failed' : 'the gateway did not say whether it processed the request'
  return { what, error: (message, known) => new ServerError(message, known) }
}

const fromBetween = {
  what: 'a proxy or firewall answered (html), not the gateway',
  advice: 'check baseUrl, and what stands between this machine and the gateway',
}

function wrongClock(aheadMs: number): string {
  return `this machine's clock is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the gateway's, set it right`
}

function unauthenticated({ credential, tokenRanOut = false, aheadMs, hasDate }: Refused): string {
  if (credential === 'secret') return 'check merchantCode and merchantSecret'
  if (credential === 'signature') {
    const clock = hasDate ? '' : ", and this machine's clock, which the response gave no date to compare with"
    const keys = `check merchantCode, the key and its public half at the platform, and timestampUnit${clock}`
    return aheadMs === undefined
      ? `${keys} (it was tried with two different signatures, so neither was refused as a replay)`
      : `${wrongClock(aheadMs)} (a second request by the gateway's clock was refused as well, so also ${keys})`
  }
  if (tokenRanOut) {
    return 'the token ran out on its way, so ask for a longer life (tokenValiditySecs), or see what slows this process down'
  }
  if (aheadMs !== undefined) return wrongClock(aheadMs)
  return 'a new token was refused like the one before, so ask the platform why it does not take the tokens that it makes'
}

function inSeconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`
}

/** What a signer throws may hold what no log should; a `policySigner` says what its policy forbids, or that it had no response. */
function unsigned(
  { gave, cause }: { gave?: string; cause: unknown },
  unsent: string,
): readonly [what: string, advice: string] {
  if (gave !== undefined) {
    const advice = 'it has to give the raw signature as a Uint8Array, so decode one that is base64'
    return [`the signer gave ${gave} in place of a signature${unsent}`, advice]
  }
  if (isNamed(cause, 'SignerRefusal') && 'rule' in cause) {
    const what = `the signer refused it by its rule "${cause.rule}": ${cause.message}`
    return [what + unsent, 'error.cause is what the signer threw']
  }
  const advice = isNamed(cause, 'SignerUnreachableError')
    ? cause.message
    : 'error.cause is what the signer threw'
  return [`the token request could not be signed${unsent}`, advice]
}

/** By its name: stores and signers are entries of their own, and each carries its copy of a class. */
function isNamed(cause: unknown, name: string): cause is Error {
  return cause instanceof Error && cause.name === name
}

/** Node says it by a code, as an ES module and as CommonJS. */
function isAbsent(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}

/** Paths and expectations, never values; a few are enough to see what is wrong. */
function listed(issues: readonly string[]): string {
  if (issues.length === 0) return ''
  return ` (${issues.slice(0, 3).join(', ')}${issues.length > 3 ? ', …' : ''})`
}
