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
