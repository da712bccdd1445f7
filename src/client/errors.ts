/**
 * Every error that a caller can catch. Each class has a stable `code`, so that a `switch` over
 * `error.code` works in every module system and across copies of this package.
 */
import type { PaymentLike } from './payment-like.js'

/** What is known about a payment when a create call fails. */
export type Outcome =
  /** No attempt of this call can have been accepted. It says nothing about earlier calls with the same id. */
  | 'not-accepted'
  /** The gateway may or may not have accepted the payment. Call again with the same id. */
  | 'unknown'
  /** The gateway has a payment under this id. */
  | 'accepted'

/** The stable codes, one for each class. `errorCodes` says what each of them means. */
export type GatewayErrorCode = AnyGatewayError['code']

const brand = Symbol.for('merchant-gateway.error')
/** What may hold a customer's account: it is there for the caller, and prints nowhere. */
const hidden: ReadonlySet<string> = new Set(['lastPayment', 'body'])

/**
 * What an error is made with beside its message, by its class: what it always knows is wanted, and the rest
 * may be left out.
 *
 * @example
 * const details: ErrorDetails<PermissionError> = { status: 403, operation: 'GET /balances' }
 */
export type ErrorDetails<E extends GatewayError> = {
  readonly [Field in Exclude<keyof E, keyof Error | 'code' | 'toJSON' | symbol> as undefined extends E[Field]
    ? never
    : Field]: E[Field]
} & {
  readonly [Field in Exclude<keyof E, keyof Error | 'code' | 'toJSON' | symbol> as undefined extends E[Field]
    ? Field
    : never]?: E[Field] | undefined
}

/** What every error may know, whatever its class. Absent where it does not apply. */
export type GatewayErrorDetails = ErrorDetails<GatewayError>

/**
 * The root of the tree. Catch it with {@link isGatewayError}, which also knows errors made by
 * another copy of this package.
 */
export abstract class GatewayError extends Error {
  /** The stable name of the class, for `switch`. */
  abstract readonly code: GatewayErrorCode
  /** The payin that the call was about. */
  declare readonly idPayin?: string
  /** The payout that the call was about. */
  declare readonly idPayout?: string
  /** On create calls, and on no others: whether the payment exists. */
  declare readonly outcome?: Outcome
  /** How many times the request was tried. */
  declare readonly attempts?: number

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
      const property = hidden.has(key) ? { get: () => value } : { value, enumerable: true }
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

/**
 * An error that knows more than every error does. It is made with what its class knows, `E`, which may be left out
 * where none of it is certain.
 */
export abstract class DetailedError<E extends GatewayError> extends GatewayError {
  /** See {@link GatewayError}. */
  constructor(
    message: string,
    ...[details, cause]: Record<never, never> extends ErrorDetails<E>
      ? [details?: ErrorDetails<E>, cause?: unknown]
      : [details: ErrorDetails<E>, cause?: unknown]
  ) {
    super(message, { ...details }, cause)
  }
}

/** An error that may be about a response of the gateway, and then knows what of it may be shown. */
export abstract class AnswerError<E extends GatewayError> extends DetailedError<E> {
  /** Response headers that are safe to show (an allow-list). */
  declare readonly headers?: Readonly<Record<string, string>>
  /** The first characters of a body that could not be read as JSON; a fixed sentence where a secret is in it. */
  declare readonly bodyStart?: string
  /** Every short text of a JSON error body with its path; a fixed sentence in place of one that holds a secret. */
  declare readonly gatewayMessage?: string
  /** The whole body, up to `maxResponseBytes`. It may hold a customer's data, so no log, `inspect` or JSON shows it. */
  declare readonly body?: string
}

/** An option is missing, unknown or wrong. Thrown by the constructor; nothing was sent. */
export class ConfigurationError extends DetailedError<ConfigurationError> {
  readonly code = 'configuration'
  /** The option that is wrong; undefined where it is all of them, or none. */
  declare readonly option: string | undefined
}

/** An argument is certainly wrong. Nothing was sent. */
export class InvalidInputError extends DetailedError<InvalidInputError> {
  readonly code = 'invalid_input'
  /** The field that is wrong, for example `paymentRequested.money.amount`; undefined where it is no single one. */
  declare readonly field: string | undefined
}

/** The token request could not be signed: the key is wrong, or the signer failed. */
export class SigningError extends GatewayError {
  readonly code = 'signing'
}

/** 401: the gateway did not take the signature, the secret or the token. */
export class AuthenticationError extends AnswerError<AuthenticationError> {
  readonly code = 'authentication'
  /** HTTP status of the response. */
  declare readonly status: number
  /**
   * By how much this machine's clock differs from the gateway's, in milliseconds (positive: ours is ahead);
   * undefined where they agree or the response does not tell.
   */
  declare readonly clockAheadMs: number | undefined
}

/** 403: the token does not allow the operation that `operation` names. */
export class PermissionError extends AnswerError<PermissionError> {
  readonly code = 'permission'
  /** HTTP status of the response. */
  declare readonly status: number
  /** The operation that the token was not allowed, for example `POST /payouts/{idPayout}`. */
  declare readonly operation: string
}

/** 404: no such thing, or an unsupported API version (specification, section 7). */
export class NotFoundError extends AnswerError<NotFoundError> {
  readonly code = 'not_found'
  /** HTTP status of the response. */
  declare readonly status: number
}

/**
 * The id belongs to a payment that asks for something else (409), or the gateway accepted this one with
 * other money than was asked for (2xx); `differences` names the fields.
 */
export class IdempotencyConflictError extends AnswerError<IdempotencyConflictError> {
  readonly code = 'idempotency_conflict'
  /** HTTP status of the response. */
  declare readonly status: number
  /** The gateway has a payment under this id. */
  declare readonly outcome: 'accepted'
  /** The fields that differ between the request and the payment found under its id. */
  declare readonly differences: readonly string[]
}

/** 429 after all retries: the request was not processed (specification, section 7). */
export class RateLimitError extends AnswerError<RateLimitError> {
  readonly code = 'rate_limit'
  /** HTTP status of the last response, absent where the call never got its turn. */
  declare readonly status?: number
  /** How long the gateway asked to wait, in milliseconds; undefined where it did not say. */
  declare readonly retryAfterMs: number | undefined
}

/** Any other status that refuses (400, 405, 413, 422 and the like): the gateway turned the request down as it is. */
export class InvalidRequestError extends AnswerError<InvalidRequestError> {
  readonly code = 'invalid_request'
  /** HTTP status of the response. */
  declare readonly status: number
}

/** 5xx, or a 4xx that refuses nothing (408, 425, 499 and the like), after all retries. */
export class ServerError extends AnswerError<ServerError> {
  readonly code = 'server'
  /** HTTP status of the response. */
  declare readonly status: number
  /** How long the gateway asked to wait, in milliseconds; undefined where it did not say. */
  declare readonly retryAfterMs: number | undefined
}

/** No connection, or one that broke, after all retries. */
export class ConnectionError extends GatewayError {
  readonly code = 'connection'
}

/** An attempt took longer than `timeoutMs`, or the call longer than `deadlineMs`. */
export class TimeoutError extends DetailedError<TimeoutError> {
  readonly code = 'timeout'
  /** How long the gateway asked to wait, in milliseconds; undefined where it did not say. */
  declare readonly retryAfterMs: number | undefined
}

/** The caller's `signal` ended the call. */
export class AbortedError extends GatewayError {
  readonly code = 'aborted'
}

/** The gateway answered with something that cannot be used: no JSON, a redirect, a missing id. */
export class UnusableResponseError extends AnswerError<UnusableResponseError> {
  readonly code = 'unusable_response'
  /** What is wrong with the response: paths and expectations, never values. */
  declare readonly issues: readonly string[]
  /** HTTP status of the response; absent where it was one to a token request. */
  declare readonly status?: number
}

/** `waitFor` or `watch` reached its limit before the payment was final. */
export class WaitTimeoutError extends DetailedError<WaitTimeoutError> {
  readonly code = 'wait_timeout'
  /** The payment as it was seen last; undefined where it was not seen once. It prints nowhere. */
  declare readonly lastPayment: PaymentLike | undefined
  /** A wait creates nothing, so it has none. */
  declare readonly outcome?: never
  /** A wait is many calls, so it counts none. */
  declare readonly attempts?: never
}

/** More calls wait for a permit than `maxQueued`. This one was not sent. */
export class QueueFullError extends GatewayError {
  readonly code = 'queue_full'
}

/** The client was closed. */
export class ClientClosedError extends GatewayError {
  readonly code = 'client_closed'
}

/** Why a refund was not made. */
export type RefundRefusal =
  /** The payin is not paid now. */
  | 'not-paid'
  /** It would give back more than was paid. */
  | 'above-paid'
  /** It is in another currency than the payin. */
  | 'currency'
  /** There is no refund of the number before it. */
  | 'gap'
  /** What was paid, or given back, can't be read from the gateway's responses. */
  | 'unreadable'

/** `payins.refund` made no payout, since it could have given back what was not paid. */
export class RefundRefusedError extends DetailedError<RefundRefusedError> {
  readonly code = 'refund_refused'
  /** Why, as one word for a `switch`. */
  declare readonly reason: RefundRefusal
  /** Which refund of the payin was asked for. */
  declare readonly number: number
  declare readonly idPayin: string
  declare readonly idPayout: string
  /** This call made no payout. */
  declare readonly outcome: 'not-accepted'
}

/**
 * The errors as a union: a `switch` over `code` narrows to one class and its fields, and a `never` in its
 * default holds it to all of them.
 */
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
  | RefundRefusedError

/**
 * Whether a caught value is an error of this package, also when it was made by another copy of it
 * (ESM beside CJS, two versions in one tree), where `instanceof` fails.
 *
 * @example
 * try {
 *   await client.payouts.create(request)
 * } catch (error) {
 *   if (!isGatewayError(error)) throw error
 *   if (error.code === 'idempotency_conflict') console.log(error.differences.join())
 * }
 */
export function isGatewayError(value: unknown): value is AnyGatewayError {
  return typeof value === 'object' && value !== null && brand in value
}

/** The error of a create: what every such error has is its `outcome`. */
export type CreateError = Exclude<AnyGatewayError, WaitTimeoutError> & {
  /** Whether the payment exists. */
  readonly outcome: Outcome
}

/**
 * Whether a caught value is the error of `payins.create` or `payouts.create`, which say what became of the
 * payment: `outcome` is then there for certain.
 *
 * @example
 * try {
 *   await client.payouts.create(request)
 * } catch (error) {
 *   if (!hasOutcome(error)) throw error
 *   if (error.outcome === 'unknown') await tryAgainLater(request.idPayout)
 * }
 */
export function hasOutcome(value: unknown): value is CreateError {
  return isGatewayError(value) && value.outcome !== undefined
}
