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

/** What one code of an error means for a program that goes on after it. */
export interface ErrorCodeMeaning {
  /** The class that has it. */
  readonly class: abstract new (
    ...args: never
  ) => AnyGatewayError
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

/**
 * Every code, and what it means: for waits, jobs, logs, the command line, and for your own program in place of a list of
 * codes. A code without its row doesn't compile.
 *
 * @example
 * if (isGatewayError(error) && errorCodes[error.code].job === 'refused') await tellWhoeverOrdered(error.message)
 */
export const errorCodes: {
  readonly [Code in GatewayErrorCode]: ErrorCodeMeaning & {
    readonly class: abstract new (...args: never) => Extract<AnyGatewayError, { readonly code: Code }>
  }
} = {
  configuration: {
    class: ConfigurationError,
    from: 'caller',
    // Accepted where the option `live` refuses a payment that is there.
    outcomes: ['not-accepted', 'accepted'],
    passes: 'no',
    next: 'mend',
    job: 'setup',
    level: 'error',
  },
  invalid_input: {
    class: InvalidInputError,
    from: 'caller',
    outcomes: ['not-accepted'],
    passes: 'no',
    next: 'mend',
    job: 'refused',
    level: 'info',
  },
  signing: {
    class: SigningError,
    from: 'caller',
    outcomes: ['not-accepted'],
    passes: 'no',
    next: 'mend',
    job: 'setup',
    level: 'error',
  },
  authentication: {
    class: AuthenticationError,
    from: 'gateway',
    outcomes: ['not-accepted'],
    passes: 'no',
    next: 'mend',
    job: 'setup',
    level: 'error',
  },
  permission: {
    class: PermissionError,
    from: 'gateway',
    outcomes: ['not-accepted'],
    passes: 'no',
    next: 'mend',
    job: 'setup',
    level: 'error',
  },
  not_found: {
    class: NotFoundError,
    from: 'gateway',
    outcomes: ['not-accepted'],
    // The payment may not be visible yet.
    passes: 'in-wait',
    next: 'mend',
    // Of a create: the gateway says so of a wrong version or address (specification, section 7).
    job: 'setup',
    level: 'warn',
  },
  idempotency_conflict: {
    class: IdempotencyConflictError,
    from: 'gateway',
    outcomes: ['accepted'],
    passes: 'no',
    next: 'mend',
    job: 'conflict',
    level: 'error',
  },
  rate_limit: {
    class: RateLimitError,
    from: 'gateway',
    outcomes: ['not-accepted'],
    passes: 'in-call',
    next: 'again',
    job: 'unavailable',
    level: 'error',
  },
  invalid_request: {
    class: InvalidRequestError,
    from: 'gateway',
    outcomes: ['not-accepted'],
    passes: 'no',
    next: 'mend',
    job: 'refused',
    level: 'error',
  },
  server: {
    class: ServerError,
    from: 'gateway',
    // Not accepted where it is the token request that failed.
    outcomes: ['not-accepted', 'unknown'],
    passes: 'in-call',
    next: 'again',
    job: 'unavailable',
    level: 'error',
  },
  connection: {
    class: ConnectionError,
    from: 'network',
    outcomes: ['not-accepted', 'unknown'],
    passes: 'in-call',
    next: 'again',
    job: 'unavailable',
    level: 'error',
  },
  timeout: {
    class: TimeoutError,
    from: 'network',
    outcomes: ['not-accepted', 'unknown'],
    passes: 'in-call',
    next: 'again',
    job: 'unavailable',
    level: 'error',
  },
  aborted: {
    class: AbortedError,
    from: 'client',
    outcomes: ['not-accepted', 'unknown'],
    passes: 'no',
    next: 'again',
    job: 'aborted',
    level: 'info',
  },
  unusable_response: {
    class: UnusableResponseError,
    from: 'gateway',
    outcomes: ['not-accepted', 'unknown', 'accepted'],
    // Something may have stood in front of the gateway for a moment.
    passes: 'in-wait',
    next: 'again',
    job: 'unavailable',
    level: 'error',
  },
  wait_timeout: {
    class: WaitTimeoutError,
    from: 'client',
    outcomes: [],
    passes: 'no',
    next: 'wait',
    job: 'unavailable',
    level: 'error',
  },
  queue_full: {
    class: QueueFullError,
    from: 'client',
    outcomes: ['not-accepted'],
    passes: 'in-wait',
    next: 'again',
    job: 'unavailable',
    level: 'error',
  },
  client_closed: {
    class: ClientClosedError,
    from: 'client',
    outcomes: ['not-accepted'],
    passes: 'no',
    next: 'again',
    // At once would be without an end: who closed the client has forgotten the jobs, or closes them next.
    job: 'setup',
    level: 'info',
  },
  refund_refused: {
    class: RefundRefusedError,
    from: 'client',
    outcomes: ['not-accepted'],
    passes: 'no',
    next: 'mend',
    job: 'refused',
    level: 'error',
  },
}
