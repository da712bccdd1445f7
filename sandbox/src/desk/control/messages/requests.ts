/** The JSON about requests between the sandbox and its page. Types only, because the page is bundled for browsers. */
import type { Kind, ListWindow, Signature } from './payments.js'

/** Which endpoints a list of requests is about; `callbacks` are those that failed. */
export type RequestKind = 'tokens' | 'payins' | 'payouts' | 'info' | 'other' | 'callbacks'

/** What came of a request: 2xx, 4xx, 5xx, or no whole answer. */
export type RequestResult = 'ok' | 'refused' | 'failed' | 'unanswered'

/** A request, or a callback that failed, in the list. Times are milliseconds since 1970, by the sandbox's clock. */
export interface RequestRow {
  readonly type: 'request' | 'callback'
  /** Its number; with a `c` in front for a callback. */
  readonly key: string
  readonly at: number
  readonly method: string
  readonly path: string
  readonly result: RequestResult
  /** A refusal after which nothing has to be done: a 409 for the same create, or a 404 for a payment that isn't there. */
  readonly isHarmless: boolean
  /** What arrived; null when nothing did. */
  readonly status: number | null
  /** The code of the refusal. */
  readonly code: string | null
  readonly fault: string | null
  /** What it means, in a sentence. */
  readonly what: string
  /** In real milliseconds, to the last byte; null while it is under way. */
  readonly tookMs: number | null
  readonly payment: { readonly kind: Kind; readonly id: string } | null
  /** What a create asks for. */
  readonly money: { readonly amount: number; readonly currencyCode: string } | null
}

/** A window of all requests, or of all failed callbacks. */
export interface RequestListing extends ListWindow<RequestRow> {
  /** How many would fit with each result, whichever is chosen; and with a fault. */
  readonly counts: Readonly<Record<RequestResult | 'fault', number>>
  readonly failedCallbacks: number
}

export interface RequestDetail extends RequestRow {
  /** How to mend it; null where nothing is to be mended. */
  readonly mend: string | null
  readonly route: string | null
  /** By the sandbox's clock; null where that runs with the real time. */
  readonly tookOnClockMs: number | null
  /** Only for requests for a token. */
  readonly signature: Signature | null
  readonly scope: TokenScope | null
  readonly request: ShownMessage
  /** Null while there is none. */
  readonly answer: ShownMessage | null
  /** Only for a callback. */
  readonly callback: {
    readonly attempt: number
    readonly tries: number
    readonly paymentStatus: string
    readonly error: string | null
  } | null
  /** Whether the sandbox holds the payment. */
  readonly isPaymentHeld: boolean
}

/** Headers and body with their secrets masked. */
export interface ShownMessage {
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** JSON, or a sentence why it is not shown. */
  readonly body: string | null
}

/** A window of all deliveries of callbacks, newest first. */
export interface DeliveryListing {
  /** How many the sandbox remembers. */
  readonly held: number
  /** How many fit. */
  readonly total: number
  readonly offset: number
  readonly rows: readonly DeliveryRow[]
}

/** One attempt to deliver a callback. */
export interface DeliveryRow {
  readonly at: number
  readonly kind: Kind
  readonly id: string
  readonly paymentStatus: string
  readonly url: string
  readonly attempt: number
  /** What the receiver answered; null while it has not, or when it never did. */
  readonly answer: number | null
  readonly error: string | null
}

/** What a token allows; never the token. */
export interface TokenScope {
  /** Whether this request made the token, or came with it. */
  readonly isMade: boolean
  /** What it allows, one line each. */
  readonly allows: readonly string[]
  readonly expiresAt: number
}
