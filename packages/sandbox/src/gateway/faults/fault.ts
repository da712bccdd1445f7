import type { SandboxPayment } from '../payments/payment.js'
import type { RouteName } from '../wire/routes.js'

/**
 * A fault to arm. What could never hit or means nothing is refused: `hide` where no status is requested,
 * `overtaken` and `callback-first` where none is created, `revoke-token` where a token is asked for, an `id` at
 * an endpoint that has none.
 */
export interface FaultOptions {
  /**
   * The endpoint by its name in section 4, such as `POST /payins/{idPayin}`; `create` for the creates of payins and
   * payouts; `*` for every request.
   */
  readonly route: RouteName | 'create' | '*'
  /** Only requests for this idPayin or idPayout. */
  readonly id?: string
  /** Only requests for which this returns true: those of one order, whatever their id is. */
  readonly match?: (request: MatchedRequest) => boolean
  /** How many requests it hits: 1 by default; `Infinity` for all. */
  readonly times?: number
  /** How many matching requests it lets pass first: 0 by default. */
  readonly skip?: number
  /** Hits a matching request with this probability only, from 0 to 1, drawn by the seed. 1 by default. */
  readonly probability?: number
  /** What goes wrong. */
  readonly action: FaultAction
  /** Asked when a `delay` begins: that ends when this resolves, or when its time is over. */
  readonly until?: () => Promise<unknown>
}

/** What `match` of a fault is shown of a request. */
export interface MatchedRequest {
  /** `GET` or `POST`. */
  readonly method: string
  /** As sent, with the query. */
  readonly path: string
  /** The body as text; empty where there is none. */
  readonly bodyText: string
}

/** An armed fault. */
export interface FaultHandle {
  /** How often it has hit. */
  readonly hits: number
  /** Disarms it; requests that it holds already are not let go. */
  remove(): void
}

/** A fault of callbacks to arm. */
export interface CallbackFaultOptions {
  /** Only callbacks about payins, or about payouts. */
  readonly kind?: 'payin' | 'payout'
  /** Only callbacks about the payment with this idPayin or idPayout. */
  readonly id?: string
  /** How many callbacks it hits: 1 by default; `Infinity` for all. */
  readonly times?: number
  /** Only callbacks about payments for which this returns true. */
  readonly match?: (payment: Pick<SandboxPayment, 'kind' | 'id'>) => boolean
  /** What goes wrong. */
  readonly action: CallbackFaultAction
}

/** What goes wrong with a request: `kind` says what. Numbers of milliseconds are by the sandbox's clock. */
export type FaultAction =
  | {
      /** Nothing is processed, the connection is reset. */
      readonly kind: 'drop-before'
    }
  | {
      /** Processed, and then the connection is reset: the response is lost. */
      readonly kind: 'drop-after'
    }
  | {
      /** Processed; the headers and half of the body arrive, and then the connection ends. */
      readonly kind: 'cut-body'
    }
  | {
      /** As `cut-body`, but the connection stays open and nothing more comes. */
      readonly kind: 'stall-body'
    }
  | {
      /** Never answered. */
      readonly kind: 'timeout'
      /** Whether it is processed: false by default. */
      readonly processed?: boolean
    }
  | {
      /** Answered later. */
      readonly kind: 'delay'
      /** How much later, in milliseconds. */
      readonly ms: number
      /** Up to this much more, in milliseconds, drawn by the seed: 0 by default. */
      readonly jitterMs?: number
      /** When it is processed: on arrival by default, or at the end of the delay. */
      readonly processed?: 'on-arrival' | 'late'
    }
  | {
      /** Answered with that status. */
      readonly kind: 'status'
      /** HTTP status. */
      readonly status: number
      /** The body of the response: JSON, unless it is a string, which goes out as it is. */
      readonly body?: unknown
      /** Headers of the response, besides those that every response has. */
      readonly headers?: Readonly<Record<string, string>>
      /** Whether it is processed before: false by default. */
      readonly processed?: boolean
    }
  | {
      /** Answered with a page such as proxies send. */
      readonly kind: 'html'
      /** HTTP status: 502 by default. */
      readonly status?: number
      /** Whether it is processed before: false by default. */
      readonly processed?: boolean
    }
  | {
      /** Processed, and the response is changed. */
      readonly kind: 'mutate'
      /**
       * A function that is given the JSON of the response and returns another; or an object, which is a JSON merge
       * patch (RFC 7386): its fields are set, and null removes one.
       */
      readonly change: ((json: unknown) => unknown) | Readonly<Record<string, unknown>>
    }
  | {
      /** Processed, and the response has null where a string was. Without a string there it becomes a 500 that says so. */
      readonly kind: 'null-for-string'
      /**
       * The path of the field, with dots: `paymentMethodResponse.paymentMethodCode` by default, which every response
       * about a payment has.
       */
      readonly field?: string
    }
  | {
      /** Processed, and every object of the response has unknown fields (section 9 allows it). */
      readonly kind: 'extra-fields'
    }
  | {
      /** Processed, and the response shows another status, in `process` or at the top; one without a status stays. */
      readonly kind: 'unknown-status'
      /** The status: `UNDER_REVIEW` by default. */
      readonly status?: string
    }
  | {
      /** 429 and not processed. */
      readonly kind: 'rate-limit'
      /** Retry-After, in seconds; none when absent. */
      readonly retryAfterSecs?: number
      /** Whether Retry-After comes in seconds, as by default, or as a date. */
      readonly as?: 'seconds' | 'date'
    }
  | {
      /** 404 for a payment that is too young; others are processed. */
      readonly kind: 'hide'
      /** The age, in milliseconds, from which a payment is found. */
      readonly ms: number
    }
  | {
      /**
       * The same request is processed twice, and the second response is the one that leaves. A create meets
       * 409, because another one with its id and content was a moment earlier.
       */
      readonly kind: 'overtaken'
    }
  | {
      /**
       * Processed; the payment becomes PENDING and its callback is delivered and answered, and only then the
       * answer leaves.
       */
      readonly kind: 'callback-first'
    }
  | {
      /** The token that the request carries is revoked, and then the request is processed: 401. */
      readonly kind: 'revoke-token'
    }
  | {
      /** The gateway's clock goes wrong, and then the request is processed. Everybody sees that clock. */
      readonly kind: 'skew-clock'
      /** By how much, in milliseconds: ahead, or behind when negative. */
      readonly ms: number
      /** For how long, in milliseconds. */
      readonly forMs: number
    }

/**
 * What goes wrong with a callback. Delivery rules are a gap in section 6, so a merchant has to live with all.
 */
export type CallbackFaultAction =
  | {
      /** It is never sent. */
      readonly kind: 'missing'
    }
  | {
      /** It is sent two times. */
      readonly kind: 'twice'
    }
  | {
      /** It is sent later; the payment may have moved on by then. */
      readonly kind: 'late'
      /** How much later: milliseconds by the sandbox's clock. */
      readonly ms: number
    }
  | {
      /** It waits until the payment's next callback has been answered, and comes after it. */
      readonly kind: 'swapped'
    }
