import type { KeyObject } from 'node:crypto'
import type { DeliverCallback } from './callbacks/delivery.js'
import type { LimiterKind } from './engine/limiter.js'
import type { SandboxExchange } from './engine/logged-request.js'
import type { SandboxPayment } from './payments/payment.js'
import type { ErrorFormat } from './wire/response.js'

/** What can be set on a sandbox; everything has a default. Names ending in Ms are milliseconds, in Secs seconds. */
export interface SandboxOptions {
  /**
   * How much the sandbox shows. `generous`, the default, also shows what a gateway is likely to show where the
   * specification is silent. With `specification` it shows what stands in the specification and nothing more:
   * code that passes there relies on no guess of ours. Options that name a guess, such as
   * `customerAccountPath` and `errorFormat`, are followed all the same.
   */
  readonly strictness?: 'specification' | 'generous' | undefined
  /** The merchant's code. `SANDBOX-MERCHANT` by default. */
  readonly merchantCode?: string | undefined
  /** The deprecated merchant secret (section 5). Without it no secret is accepted. */
  readonly merchantSecret?: string | undefined
  /** Public RSA keys of the merchant, PEM or KeyObject, besides the one of `clientOptions()`. */
  readonly publicKeys?: readonly (string | KeyObject)[] | undefined
  /** The private RSA key that `clientOptions()` gives, PEM or KeyObject; by default one that the process makes at the first call. */
  readonly privateKey?: string | KeyObject | undefined
  /** The unit of `timestamp` in token requests, a gap of section 5. `seconds` by default. */
  readonly timestampUnit?: 'seconds' | 'milliseconds' | undefined
  /** How far `timestamp` may be from the sandbox's clock: 300 s by default. */
  readonly timestampToleranceSecs?: number | undefined
  /**
   * Whether a token request may be sent twice: `allow` by default. With `refuse` a signature that was seen
   * is answered 401, as a gateway may whose timestamp is to prevent just that (a gap of section 5).
   */
  readonly replay?: 'allow' | 'refuse' | undefined
  /** The field of the token response, with dots for depth; a gap of section 2. `token` by default. */
  readonly tokenField?: string | undefined
  /**
   * Whether the token comes in a field of JSON, as by default, is all of the response as one string of JSON, or all of
   * a `text/plain` answer.
   */
  readonly tokenFormat?: 'json' | 'json-string' | 'text' | undefined
  /** The longest `validitySecs` that is taken, a gap of section 8: 1,000,000,000 by default; 400 above it. */
  readonly maxValiditySecs?: number | undefined
  /** Where the response to a payin's status request has the status, a gap of section 2: in `process` by default, or at the top. */
  readonly payinStatusIn?: 'process' | 'top' | undefined
  /**
   * The body of a refusal, a gap of section 7: `code` for `{ code, message }`, the default; `errors` for
   * `{ errors: [{ code, detail }] }`; `none` for no body, the default of `strictness: 'specification'`.
   */
  readonly errorFormat?: ErrorFormat | undefined
  /**
   * The path of customer account data, a gap of section 4. `/payins/{idPayin}/customer-account` by default; with
   * `strictness: 'specification'` there is none by default.
   */
  readonly customerAccountPath?: string | undefined
  /** A path that all endpoints lie under, such as `/api`. None by default. */
  readonly basePath?: string | undefined
  /** Requests in any 1000 ms: 10 by default (section 8); `false` for no limit. */
  readonly rateLimit?: number | false | undefined
  /** How the requests of a second are counted, a gap of section 8. `sliding-window` by default. */
  readonly limiter?: LimiterKind | undefined
  /** Whether a 429 carries Retry-After, and how. `false` by default: section 7 does not show it. */
  readonly retryAfter?: 'seconds' | 'date' | false | undefined
  /** From a payment's creation to PENDING: 0 by default. */
  readonly pendingAfterMs?: number | undefined
  /** From a payment's creation to its outcome: 1000 by default; `false` leaves outcomes to `pay` and `setStatus`. */
  readonly payAfterMs?: number | false | undefined
  /** Up to this much more than `payAfterMs`, drawn for each payment by the seed: 0 by default. */
  readonly payJitterMs?: number | undefined
  /** From a payin's creation to its `expireAt`; one that is PENDING then expires. A day by default. */
  readonly expireAfterMs?: number | undefined
  /** Whether {@link magicAmounts} and their operator codes force something: `true` by default. */
  readonly magicAmounts?: boolean | undefined
  /** `virtual` stands still until `sandbox.clock.advance` moves it on. `real` by default. */
  readonly clock?: 'real' | 'virtual' | undefined
  /** What the sandbox's clock shows at the start, in ms since 1970 or as a Date. The time now by default. */
  readonly startAt?: number | Date | undefined
  /**
   * Makes references, token ids, the token key, jitter and faults with a probability repeatable. With a
   * `privateKey`, a `startAt` and a virtual clock, a whole run repeats to the byte.
   */
  readonly seed?: number | string | undefined
  /** Called for each request when its response is ready, refused ones too. What it throws is ignored. */
  readonly onExchange?: ((exchange: SandboxExchange) => void) | undefined
  /** Carries callbacks; a POST by the global fetch by default. */
  readonly deliver?: DeliverCallback | undefined
  /** The content of a callback, a gap of section 6; `{}` for every payment by default. A string goes out as it is. */
  readonly callbackBody?: ((payment: SandboxPayment) => unknown) | undefined
  /** How often a callback is sent until a 2xx answers it: 3 by default. */
  readonly callbackTries?: number | undefined
  /** From a failed callback to the next try, doubling each time: 1000 by default. */
  readonly callbackRetryAfterMs?: number | undefined
  /** How long a response to a callback may take, in real time: 5000 by default. */
  readonly callbackTimeoutMs?: number | undefined
  /** How many requests and callbacks the logs keep: the 10,000 newest by default. */
  readonly maxLogged?: number | undefined
  /** How many payins, and how many payouts, are kept: the 20,000 newest by default. */
  readonly maxPayments?: number | undefined
  /** The longest body that is read: 1 MiB by default; 413 above it. */
  readonly maxBodyBytes?: number | undefined
  /**
   * What becomes of a create that names a payin's method, an operator or a currency that this sandbox doesn't list, a
   * payout by another method than BANK_TRANSFER, or more than the balance. `by-specification`, the default, refuses
   * with 400 what words of sections 2 and 4 rule out, the first three, and notes the others; `refuse` refuses all;
   * `note` accepts all. Notes stand in `payment.notes` and on the page.
   */
  readonly mistakes?: 'by-specification' | 'refuse' | 'note' | undefined
  /** The merchant's channel name in GET /merchant-info. */
  readonly channelName?: string | undefined
  /** The balances at the start by currency; their currencies are those that the sandbox supports. */
  readonly balances?: Readonly<Record<string, number>> | undefined
  /**
   * What the balances count, and when, a gap of section 4: payments that have succeeded, with a fee of 1 for each payout
   * that is given back with it, by default. `{ pendingPayouts: true }` takes a payout when it is created, `{ fees: 'kept' }`
   * gives no fee back, `{ fees: 'apart' }` takes none.
   */
  readonly balanceCounts?: {
    /** Whether a payin counts as soon as it is created: `false` by default. */
    readonly pendingPayins?: boolean | undefined
    /** Whether a payout counts as soon as it is created: `false` by default. */
    readonly pendingPayouts?: boolean | undefined
    /** What becomes of the fee of a payout that fails: `with-payment` by default. */
    readonly fees?: 'with-payment' | 'kept' | 'apart' | undefined
  }
  /** The methods of payins: `['VAPAY']` by default, the only one that section 2 names. */
  readonly payinMethods?: readonly string[] | undefined
  /** Payment operators, for GET /payment-operators and the payment options. */
  readonly paymentOperators?: readonly SandboxOperator[] | undefined
}

/** A payment operator: a bank, mostly. */
export interface SandboxOperator {
  /** For `paymentMethod.paymentOperatorCode`. */
  readonly code: string
  /** Name to show to customers. */
  readonly name: string
}
