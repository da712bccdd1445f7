import {
  AbortedError,
  type AnyGatewayError,
  AuthenticationError,
  ClientClosedError,
  ConfigurationError,
  ConnectionError,
  type GatewayErrorCode,
  IdempotencyConflictError,
  InvalidInputError,
  InvalidRequestError,
  NotFoundError,
  type Outcome,
  PermissionError,
  QueueFullError,
  RateLimitError,
  RefundRefusedError,
  ServerError,
  SigningError,
  TimeoutError,
  UnusableResponseError,
  WaitTimeoutError,
} from './errors.js'

/** The class of the errors with one code, for `instanceof`. */
export interface GatewayErrorClass<E extends AnyGatewayError = AnyGatewayError> {
  /** Called by this library alone. */
  new (...args: never): E
}

/** What one code of an error means for a program that goes on after it. */
export interface ErrorCodeMeaning<E extends AnyGatewayError = AnyGatewayError> {
  /** The class that has it. */
  readonly class: GatewayErrorClass<E>
  /** What failed: something that the caller gave, the way to the gateway, a response, or the client's own work. */
  readonly from: 'caller' | 'network' | 'gateway' | 'client'
  /**
   * What the attempt that ended with it says of a create. Earlier attempts may have done more: the `outcome` of the error
   * is the stronger of both.
   */
  readonly outcomes: readonly Outcome[]
  /**
   * Whether it passes by itself: within a call (the client tries again, and so do waits), within a wait (`waitFor` and
   * `watch` ask again), or not.
   */
  readonly passes: 'in-call' | 'in-wait' | 'no'
  /** What you do next: the same call again later, mend something first, or nothing but wait. */
  readonly next: 'again' | 'mend' | 'wait'
  /**
   * What a payment's job does after a create that failed with it and was not accepted: it stops, since the payment was
   * refused or its id is another's; or it runs again, when keys, rights or addresses may have been mended (`setup`), when
   * the gateway may be there again (`unavailable`), or at once, since somebody ended the run (`aborted`).
   */
  readonly job: 'refused' | 'conflict' | 'setup' | 'unavailable' | 'aborted'
  /** As what the `logger` gets it. */
  readonly level: 'info' | 'warn' | 'error'
}

/** Somebody has to mend what was given, or what the merchant is allowed. */
const toMend = {
  outcomes: ['not-accepted'],
  passes: 'no',
  next: 'mend',
  job: 'setup',
  level: 'error',
} as const satisfies Partial<ErrorCodeMeaning>

/** The payment as it is asked for will not be made. */
const refusal = { ...toMend, job: 'refused' } as const

/** The network or the gateway may be there again in a moment. */
const temporary = {
  outcomes: ['not-accepted', 'unknown'],
  passes: 'in-call',
  next: 'again',
  job: 'unavailable',
  level: 'error',
} as const satisfies Partial<ErrorCodeMeaning>

/** The program itself ended the call. */
const ended = { outcomes: ['not-accepted'], passes: 'no', next: 'again', level: 'info' } as const

/**
 * Every code, and what it means: for waits, jobs, logs, the command line, and for your own program in place of a list of
 * codes. A code without its row doesn't compile.
 *
 * @example
 * if (isGatewayError(error) && errorCodes[error.code].job === 'refused') await tellWhoeverOrdered(error.message)
 */
export const errorCodes: {
  readonly [Code in GatewayErrorCode]: ErrorCodeMeaning<Extract<AnyGatewayError, Record<'code', Code>>>
} = {
  // Accepted where the option `live` refuses a payment that is there.
  configuration: {
    class: ConfigurationError,
    from: 'caller',
    ...toMend,
    outcomes: ['not-accepted', 'accepted'],
  },
  invalid_input: { class: InvalidInputError, from: 'caller', ...refusal, level: 'info' },
  signing: { class: SigningError, from: 'caller', ...toMend },
  authentication: { class: AuthenticationError, from: 'gateway', ...toMend },
  permission: { class: PermissionError, from: 'gateway', ...toMend },
  // A payment may not be visible yet. Of a create, the gateway says so of a wrong version or address (specification, 7).
  not_found: { class: NotFoundError, from: 'gateway', ...toMend, passes: 'in-wait', level: 'warn' },
  idempotency_conflict: {
    class: IdempotencyConflictError,
    from: 'gateway',
    ...toMend,
    outcomes: ['accepted'],
    job: 'conflict',
  },
  rate_limit: { class: RateLimitError, from: 'gateway', ...temporary, outcomes: ['not-accepted'] },
  invalid_request: { class: InvalidRequestError, from: 'gateway', ...refusal },
  // Not accepted where it is the token request that failed.
  server: { class: ServerError, from: 'gateway', ...temporary },
  connection: { class: ConnectionError, from: 'network', ...temporary },
  timeout: { class: TimeoutError, from: 'network', ...temporary },
  aborted: {
    class: AbortedError,
    from: 'client',
    ...ended,
    outcomes: ['not-accepted', 'unknown'],
    job: 'aborted',
  },
  // Something may have stood in front of the gateway for a moment.
  unusable_response: {
    class: UnusableResponseError,
    from: 'gateway',
    ...temporary,
    outcomes: ['not-accepted', 'unknown', 'accepted'],
    passes: 'in-wait',
  },
  wait_timeout: {
    class: WaitTimeoutError,
    from: 'client',
    ...temporary,
    outcomes: [],
    passes: 'no',
    next: 'wait',
  },
  queue_full: {
    class: QueueFullError,
    from: 'client',
    ...temporary,
    outcomes: ['not-accepted'],
    passes: 'in-wait',
  },
  // A job at once would be without an end: who closed the client has forgotten the jobs, or closes them next.
  client_closed: { class: ClientClosedError, from: 'client', ...ended, job: 'setup' },
  refund_refused: { class: RefundRefusedError, from: 'client', ...refusal },
}
