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
import { cleanCause } from './clean-cause.js'
import type { Evidence, Failure, FailureContext, TransportResponse } from './failure.js'
import { bodyStart, gatewayMessage, parseJson } from './redact.js'
import { shownHeaders } from './response-of.js'
import { clockAheadMs } from './retry-policy.js'

/** What a failure means for the money and what to do next: said by whoever made the call. */
export interface Meaning {
  readonly details: GatewayErrorDetails
  /** A clause that goes on after "…; " and ends without a full stop. */
  readonly sentence: string
}

export interface ErrorContext extends FailureContext {
  readonly meaning: (evidence: Evidence) => Meaning
}

/** One failure, said in one sentence: what happened, what it means for the money, what to do next. */
export function toError(failure: Failure, evidence: Evidence, context: ErrorContext): GatewayError {
  const { sentence, details } = context.meaning(evidence)
  const base: GatewayErrorDetails = {
    ...details,
    attempts: context.attempts,
    ...(context.retryAfterMs === undefined ? {} : { retryAfterMs: context.retryAfterMs }),
  }
  const say = (what: string, advice?: string) =>
    `${context.route}: ${what}${context.attempts > 1 ? ` (attempt ${context.attempts})` : ''}; ${advice === undefined ? '' : `${advice}; `}${sentence}.`
  const unsent = evidence === 'none' ? ', so nothing was sent' : ''
  switch (failure.kind) {
    case 'response':
      return statusError(failure.response, say, base, context)
    case 'unusable':
      return new UnusableResponseError(
        say(`the gateway answered ${failure.response.status} with a body that can't be used`),
        { ...base, ...answerDetails(failure.response, context), issues: failure.issues },
      )
    case 'too-large':
      return new UnusableResponseError(say('the answer is larger than maxResponseBytes'), {
        ...base,
        status: failure.response.status,
        issues: ['body: larger than maxResponseBytes'],
      })
    case 'connection':
      return new ConnectionError(
        say(failure.sent ? 'the connection broke' : 'no connection could be made'),
        base,
        cleanCause(failure.cause, context.secrets),
      )
    case 'limiter':
      return new ConnectionError(say(`the rate limiter failed${unsent}`), base, failure.cause)
    case 'timeout':
      return new TimeoutError(say(`no full answer within timeoutMs (${context.timeoutMs} ms)`), base)
    case 'deadline':
      return new TimeoutError(
        say(`deadlineMs (${context.deadlineMs} ms) passed while ${failure.while}`),
        base,
      )
    case 'aborted':
      return new AbortedError(
        say(
          `the caller's signal fired ${evidence === 'none' ? 'before anything was sent' : 'after a request was sent'}`,
        ),
        base,
        failure.cause,
      )
    case 'queue-full':
      return new QueueFullError(
        say('more calls wait for a permit than maxQueued allows', 'try again when fewer are waiting'),
        base,
      )
    case 'paused':
      return new RateLimitError(
        say(`the gateway said 429 and asked to wait for longer than deadlineMs${unsent}`),
        { ...base, retryAfterMs: failure.retryAfterMs },
      )
    case 'closed':
      return new ClientClosedError(say('the client was closed'), base)
    case 'unloadable':
      return new ConfigurationError(
        say(`what sends requests could not be loaded${unsent}`, 'install undici beside this package'),
        base,
        failure.cause,
      )
    case 'signing':
      return new SigningError(say(`the signer failed${unsent}`), base, failure.cause)
    case 'no-token':
      return new UnusableResponseError(
        say(
          `no token found in the answer, whose fields are ${failure.fields.join(', ') || 'none'}`,
          'name the field in the option tokenField',
        ),
        { ...base, issues: failure.fields.map((name) => `${name}: no token`) },
      )
    case 'token':
      return toError(failure.call.failure, evidence, { ...failure.call.context, meaning: context.meaning })
  }
}

type Say = (what: string, advice?: string) => string

function statusError(
  response: TransportResponse,
  say: Say,
  base: GatewayErrorDetails,
  context: ErrorContext,
): GatewayError {
  const { status } = response
  const details = { ...base, ...answerDetails(response, context) }
  const said = details.gatewayMessage === undefined ? '' : ` ("${details.gatewayMessage}")`
  if (status < 400) {
    return new UnusableResponseError(
      say(`the gateway answered ${status}, and redirects are not followed`, 'check baseUrl'),
      { ...details, issues: [`status: ${status}`] },
    )
  }
  if (status === 401) {
    const ahead = clockAheadMs(response.headers.get('date'), context.nowMs)
    const clock =
      ahead === undefined
        ? 'check merchantCode, the key and its public half at the platform, and timestampUnit'
        : `this machine's clock is ${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'} the gateway's, set it right`
    return new AuthenticationError(say(`not authenticated (401)${said}`, clock), {
      ...details,
      ...(ahead === undefined ? {} : { clockAheadMs: ahead }),
    })
  }
  if (status === 403) {
    return new PermissionError(
      say(
        `the token does not allow this operation (403)${said}`,
        'check what the merchant account is allowed',
      ),
      { ...details, operation: context.route },
    )
  }
  if (status === 404) {
    return new NotFoundError(
      say(
        `not found (404)${said}`,
        'the gateway also says this of an API version or a base URL that it does not know',
      ),
      details,
    )
  }
  if (status === 429) {
    return new RateLimitError(
      say(`over the rate limit (429)${said}`, 'another process may spend the same budget'),
      details,
    )
  }
  if (status >= 500) return new ServerError(say(`the gateway failed (${status})${said}`), details)
  return new InvalidRequestError(say(`the gateway refused the request (${status})${said}`), details)
}

function answerDetails(response: TransportResponse, context: ErrorContext): GatewayErrorDetails {
  const message = gatewayMessage(response.body, context.secrets)
  const unreadable = response.body !== '' && parseJson(response.body) === undefined
  return {
    status: response.status,
    headers: shownHeaders(response.headers, context.secrets),
    ...(message === undefined ? {} : { gatewayMessage: message }),
    ...(unreadable ? { bodyStart: bodyStart(response.body, context.secrets) } : {}),
  }
}
