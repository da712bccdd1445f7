/**
 * Every error that a caller can catch. Each class has a stable `code`, so that a `switch` over
 * `error.code` works in every module system and across copies of this package.
 */

/** What is known about a payment when a create call fails. */
export type Outcome =
  /** No attempt of this call can have been accepted. An earlier call with the same id is not spoken for. */
  | 'not-accepted'
  /** The gateway may or may not have accepted the payment. Call again with the same id. */
  | 'unknown'
  /** The gateway has a payment under this id. */
  | 'accepted'

/** The stable codes, one for each class. */
export type GatewayErrorCode =
  | 'configuration'
  | 'invalid_input'
  | 'signing'
  | 'authentication'
  | 'permission'
  | 'not_found'
  | 'idempotency_conflict'
  | 'rate_limit'
  | 'invalid_request'
  | 'server'
  | 'connection'
  | 'timeout'
  | 'aborted'
  | 'unusable_response'
  | 'wait_timeout'
  | 'queue_full'
  | 'client_closed'

/** What an error knows beside its message. Absent where it does not apply. */
export interface GatewayErrorDetails {
  /** HTTP status of the last answer. */
  readonly status?: number
  /** The payin that the call was about. */
  readonly idPayin?: string
  /** The payout that the call was about. */
  readonly idPayout?: string
  /** On create calls: whether the payment exists. */
  readonly outcome?: Outcome
  /** How many times the request was tried. */
  readonly attempts?: number
  /** How long the gateway asked to wait, in milliseconds. */
  readonly retryAfterMs?: number
  /** Response headers that are safe to show (an allow-list). */
  readonly headers?: Readonly<Record<string, string>>
  /** The first bytes of a body that could not be read as JSON, with secrets and account numbers masked. */
  readonly bodyStart?: string
  /** What the gateway said in a JSON error body, with secrets and account numbers masked. */
  readonly gatewayMessage?: string
  /** The operation that the token was not allowed, for example `POST /payouts/{idPayout}`. */
  readonly operation?: string
  /** By how much this machine's clock differs from the gateway's, in milliseconds (positive: ours is ahead). */
  readonly clockAheadMs?: number
  /** The option that is wrong. */
  readonly option?: string
  /** The request field that is wrong, for example `paymentRequested.money.amount`. */
  readonly field?: string
  /** The fields that differ between the request and the payment found under its id. */
  readonly differences?: readonly string[]
  /** What is wrong with a response: paths and expectations, never values. */
  readonly issues?: readonly string[]
  /** The payment as it was seen last, when a wait ended too early. */
  readonly lastPayment?: unknown
}

const brand = Symbol.for('merchant-gateway.error')

/**
 * The root of the tree. Catch it with {@link isGatewayError}, which also knows errors made by
 * another copy of this package.
 */
export abstract class GatewayError extends Error implements GatewayErrorDetails {
  /** The stable name of the class, for `switch`. */
  abstract readonly code: GatewayErrorCode
  declare readonly status?: number
  declare readonly idPayin?: string
  declare readonly idPayout?: string
  declare readonly outcome?: Outcome
  declare readonly attempts?: number
  declare readonly retryAfterMs?: number
  declare readonly headers?: Readonly<Record<string, string>>
  declare readonly bodyStart?: string
  declare readonly gatewayMessage?: string
  declare readonly operation?: string
  declare readonly clockAheadMs?: number
  declare readonly option?: string
  declare readonly field?: string
  declare readonly differences?: readonly string[]
  declare readonly issues?: readonly string[]
  declare readonly lastPayment?: unknown

  /**
   * The client makes these; a fake in a test may too.
   *
   * @param message what happened and what to do, in one sentence.
   * @param details what is known beside it.
   * @param cause what it came from.
   */
  constructor(message: string, details: GatewayErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    for (const [key, value] of Object.entries(details)) {
      if (value === undefined) continue
      // A payment carries a customer's account: it is there for the caller, and prints nowhere.
      const property = key === 'lastPayment' ? { get: () => value } : { value, enumerable: true }
      Object.defineProperty(this, key, property)
    }
    Object.defineProperty(this, 'name', { enumerable: false })
  }

  /** Marks the errors of this package, across copies of it. */
  get [brand](): true {
    return true
  }

  /** The error as plain data for logs: name, code, message and what the error knows. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...Object.fromEntries(Object.entries(this)) }
  }
}

/** An option is missing, unknown or wrong. Thrown by the constructor; nothing was sent. */
export class ConfigurationError extends GatewayError {
  readonly code = 'configuration'
}

/** An argument is certainly wrong. Nothing was sent. */
export class InvalidInputError extends GatewayError {
  readonly code = 'invalid_input'
}

/** The token request could not be signed: the key is wrong, or the signer failed. */
export class SigningError extends GatewayError {
  readonly code = 'signing'
}

/** 401: the gateway did not take the signature, the secret or the token. */
export class AuthenticationError extends GatewayError {
  readonly code = 'authentication'
}

/** 403: the token does not allow the operation that `operation` names. */
export class PermissionError extends GatewayError {
  readonly code = 'permission'
}

/** 404: no such thing, or an unsupported API version (specification, section 7). */
export class NotFoundError extends GatewayError {
  readonly code = 'not_found'
}

/**
 * The id belongs to a payment that asks for something else (409), or the gateway accepted this one with
 * other money than was asked for (2xx); `differences` names the fields.
 */
export class IdempotencyConflictError extends GatewayError {
  readonly code = 'idempotency_conflict'
}

/** 429 after all retries: the request was not processed (specification, section 7). */
export class RateLimitError extends GatewayError {
  readonly code = 'rate_limit'
}

/** Any other 4xx: the gateway refused the request as it is. */
export class InvalidRequestError extends GatewayError {
  readonly code = 'invalid_request'
}

/** 5xx after all retries. */
export class ServerError extends GatewayError {
  readonly code = 'server'
}

/** No connection, or one that broke, after all retries. */
export class ConnectionError extends GatewayError {
  readonly code = 'connection'
}

/** An attempt took longer than `timeoutMs`, or the call longer than `deadlineMs`. */
export class TimeoutError extends GatewayError {
  readonly code = 'timeout'
}

/** The caller's `signal` ended the call. */
export class AbortedError extends GatewayError {
  readonly code = 'aborted'
}

/** The gateway answered with something that cannot be used: no JSON, a redirect, a missing id. */
export class UnusableResponseError extends GatewayError {
  readonly code = 'unusable_response'
}

/** `waitFor` or `watch` reached its limit before the payment was final. */
export class WaitTimeoutError extends GatewayError {
  readonly code = 'wait_timeout'
}

/** More calls wait for a permit than `maxQueued`. This one was not sent. */
export class QueueFullError extends GatewayError {
  readonly code = 'queue_full'
}

/** The client was closed. */
export class ClientClosedError extends GatewayError {
  readonly code = 'client_closed'
}

/** The errors as a union, so that a `switch` over `code` narrows. */
export type AnyGatewayError =
  | ConfigurationError
  | InvalidInputError
  | SigningError
  | AuthenticationError
  | PermissionError
  | NotFoundError
  | IdempotencyConflictError
  | RateLimitError
  | InvalidRequestError
  | ServerError
  | ConnectionError
  | TimeoutError
  | AbortedError
  | UnusableResponseError
  | WaitTimeoutError
  | QueueFullError
  | ClientClosedError

/**
 * Whether a caught value is an error of this package, also when it was made by another copy of it
 * (ESM beside CJS, two versions in one tree), where `instanceof` fails.
 *
 * @example
 * try {
 *   await client.payouts.create(request)
 * } catch (error) {
 *   if (isGatewayError(error) && error.outcome === 'unknown') await tryAgainLater(error.idPayout)
 *   else throw error
 * }
 */
export function isGatewayError(value: unknown): value is AnyGatewayError {
  return typeof value === 'object' && value !== null && brand in value
}
