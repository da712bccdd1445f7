import type { Outcome } from '../errors.js'
import type { Priority } from '../http/limit/limiter.js'

/**
 * What a client publishes on `node:diagnostics_channel`, by the names of its channels. No event holds a token, a secret,
 * an account number or anything else of a customer's. Durations are in milliseconds.
 */
export interface GatewayEvents {
  /** A method was called, and is about to ask the gateway. */
  'merchant-gateway:call:start': CallStarted
  /** It has resolved or rejected. */
  'merchant-gateway:call:end': CallEnded
  /** One request is about to be written: token and permit are there. */
  'merchant-gateway:attempt:start': AttemptStarted
  /** It was answered, or came to nothing. */
  'merchant-gateway:attempt:end': AttemptEnded
  /** A run of `catchUp` has come to its end. */
  'merchant-gateway:catch-up': CatchUpEvent
  /** The balances were reconciled. */
  'merchant-gateway:balances': BalancesEvent
  /** A token was minted, replaced or dropped. */
  'merchant-gateway:token': TokenEvent
  /** The queue for permits, a pause, the pacing or the store of a shared rate limit has changed. */
  'merchant-gateway:rate-limit': RateLimitEvent
  /** A response was usable, but not as this version of the library knows it. */
  'merchant-gateway:drift': DriftEvent
  /** A callback was answered. */
  'merchant-gateway:callback': CallbackEvent
  /** A function of the merchant's was called with a payment, and has ended. */
  'merchant-gateway:delivery': DeliveryEvent
}

/** The client that an event is about. The same object is on all events of one client. */
export interface ObservedClient {
  /** Host of `baseUrl`. */
  readonly serverAddress: string
  /** Port of `baseUrl`, also where the URL leaves it to the scheme. */
  readonly serverPort: number
  /** Path of `baseUrl`, in front of every path template; mostly empty. */
  readonly basePath: string
}

/** One call of a method. The same object is on all events of one call, so it can be the key of a `WeakMap`. */
export interface ObservedCall {
  /** The client that was called. */
  readonly client: ObservedClient
  /** The method: `payins.create`, `balances.list`, `request`; `tokens.mint` for a token that the client needs itself. */
  readonly name: string
  /** HTTP method of its first request. */
  readonly method: string
  /** Path of its first request, with `{idPayin}` or `{idPayout}` in place of the id. */
  readonly pathTemplate: string
  /** With which priority its requests wait for their permits. */
  readonly priority: Priority
  /** The payin that it is about. */
  readonly idPayin?: string
  /** The payout that it is about. */
  readonly idPayout?: string
}

/** One request of a call. The same object is on both of its events. */
export interface ObservedAttempt {
  /** The call that it belongs to. */
  readonly call: ObservedCall
  /** 1 for the first time that the request is sent, 2 for its first repetition, and so on. */
  readonly number: number
  /** HTTP method. */
  readonly method: string
  /** Differs from the call's where a create looks up what a 409 was about. */
  readonly pathTemplate: string
  /** Why the request is sent again; absent on the first one. */
  readonly retryReason?: RetryReason
  /** How long it waited for its permit. */
  readonly waitedForPermitMs: number
  /** How long it waited for its token; 0 when a kept one was good. */
  readonly waitedForTokenMs: number
}

/** What the attempt before this one came to. */
export type RetryReason = 'connection' | 'timeout' | 'token_refused' | 'not_found' | `status_${number}`

/** A method was called. */
export interface CallStarted {
  /** The call. */
  readonly call: ObservedCall
}

/** A call has ended. */
export interface CallEnded {
  /** The call. */
  readonly call: ObservedCall
  /** From the call to its result, every wait and retry included. */
  readonly durationMs: number
  /** How many requests it sent; token requests are calls of their own. */
  readonly attempts: number
  /** Sum over its requests. */
  readonly waitedForPermitMs: number
  /** Sum over its requests. */
  readonly waitedForTokenMs: number
  /** HTTP status of its error, which may be that of a token request, or of its last response. Absent when there was none. */
  readonly status?: number
  /** On creates: what is known about the payment. */
  readonly outcome?: Outcome
  /** On creates that succeeded: whether an earlier one had made the payment. */
  readonly replayed?: boolean
  /** On status requests: the status that the gateway shows of the payment. */
  readonly paymentStatus?: string
  /** What the caller gets: a `GatewayError`. Absent when the call succeeded. */
  readonly error?: Error
}

/** A request is about to be written. */
export interface AttemptStarted {
  /** The request. */
  readonly attempt: ObservedAttempt
  /**
   * Sends one more header along, for trace context. The client's own headers (`authorization`,
   * `content-type`, `x-signature` and the like) can't be replaced.
   *
   * @returns whether the header will be sent.
   */
  setHeader(name: string, value: string): boolean
}

/** A request was answered, or came to nothing. */
export interface AttemptEnded {
  /** The request. */
  readonly attempt: ObservedAttempt
  /** From the permit to the last byte of the response. */
  readonly durationMs: number
  /** Absent when no response came. */
  readonly status?: number
  /** What is known about the request now. */
  readonly outcome: AttemptOutcome
  /** What went wrong; absent when `outcome` is `answered`. */
  readonly failure?: AttemptFailure
}

/** What is known about the request after one attempt. */
export type AttemptOutcome =
  /** A usable response: 2xx, or the 409 of a create. */
  | 'answered'
  /** The gateway answered that it did not process it. */
  | 'refused'
  /** It may have been processed: 5xx, a 4xx that refuses nothing (408, 499), a redirect, a broken or late response. */
  | 'unknown'
  /** It was processed, and the response can't be used. */
  | 'unusable'
  /** Nothing of it reached the gateway. */
  | 'unsent'

/** What went wrong with an attempt: its kind, or `status_` and the HTTP status. */
export type AttemptFailure =
  | 'connection'
  | 'timeout'
  | 'aborted'
  | 'unusable'
  | 'too_large'
  | 'signing'
  | 'closed'
  /** Its permit was too old when it could be written; the request waits for another one. */
  | 'permit_expired'
  | `status_${number}`

/** Something happened to a token that the client keeps, or to its `tokenCache`. */
export interface TokenEvent {
  /** The client that keeps the token. */
  readonly client: ObservedClient
  /**
   * `minted`: there was none; `refreshed`: there was an older one; `taken`: another client has put it into the
   * `tokenCache`; `dropped`: it is used no more; `uncached`: the `tokenCache` failed, or held what can't be opened.
   */
  readonly kind: 'minted' | 'refreshed' | 'taken' | 'dropped' | 'uncached'
  /** What the token is for. */
  readonly scope: TokenScope
  /** On `minted`, `refreshed` and `taken`: for how long it is good. */
  readonly lifetimeMs?: number
  /** On `dropped`: the gateway answered 401, it was too old, or there were too many. */
  readonly why?: 'refused' | 'expired' | 'evicted'
  /** On `uncached`: the failure's code or class (`ECONNREFUSED`, `timeout`), and no more of it; or `unreadable`. */
  readonly cacheFailure?: string
}

/** A family of endpoints, one payment (`tokens: 'per-payment'`), or the operations of `request()`. */
export type TokenScope = 'payins' | 'payouts' | 'account' | 'payment' | 'operations'

/** Something happened to the queue for permits. */
export type RateLimitEvent =
  | RateLimitQueueEvent
  | RateLimitPauseEvent
  | RateLimitPacingEvent
  | RateLimitStoreEvent

/** Somebody began or ended to wait. */
export interface RateLimitQueueEvent {
  /** The client whose queue it is. */
  readonly client: ObservedClient
  /** `queued`: a request began to wait; `granted`: it got its permit; `left`: it ended without one. */
  readonly kind: 'queued' | 'granted' | 'left'
  /** With which priority it waits. */
  readonly priority: Priority
  /** How many wait with this priority now. */
  readonly depth: number
}

/** The gateway answered 429: nobody gets a permit for so long. */
export interface RateLimitPauseEvent {
  /** The client that pauses. */
  readonly client: ObservedClient
  /** Nobody gets a permit for a while. */
  readonly kind: 'paused'
  /** For how long, in milliseconds. */
  readonly pauseMs: number
}

/** The client has learned from the gateway's responses how it counts, and sends accordingly from now on. */
export interface RateLimitPacingEvent {
  /** The client that has learned it. */
  readonly client: ObservedClient
  /** The way in which requests are sent changes. */
  readonly kind: 'pacing'
  /** What the client counted on so far. */
  readonly from: 'in-windows' | 'evenly-spaced'
  /** `evenly-spaced`: a 429 came, so no two are sent at once; `in-windows`: two at once were not refused. */
  readonly to: 'in-windows' | 'evenly-spaced'
}

/** The store of a shared rate limit can't be reached, is back, or held what can't be true. */
export interface RateLimitStoreEvent {
  /** `store-away`: this process goes on at its share, or waits; `store-reset`: what was kept can't be true, so it begins anew. */
  readonly kind: 'store-away' | 'store-back' | 'store-reset'
  /** The store, for example `Redis`. */
  readonly store: string
}

/** A run of `CallbackReceiver.catchUp` has ended: an event for each kind in it, with how many were found how. */
export interface CatchUpEvent {
  /** Whether the figures are about payins or payouts. */
  readonly kind: 'payin' | 'payout'
  /** Final, and your function did not fail. */
  readonly final: number
  /** Not final yet, and your function did not fail. */
  readonly open: number
  /** Your function was called, and rejected or took too long. */
  readonly failed: number
  /** Could not be looked up. */
  readonly unavailable: number
  /** Age of the oldest one that is not final, by the gateway's `createdAt`; 0 where there is none, or no date. */
  readonly oldestOpenMs: number
}

/** The balances were reconciled. */
export interface BalancesEvent {
  /** What the balance of each currency has changed by and no known payment explains; 0 where all is explained. */
  readonly unexplained: readonly {
    /** ISO 4217. */
    readonly currencyCode: string
    /** In units of the currency; below 0, money has left. */
    readonly amount: number
  }[]
  /** Age of the oldest payment of each kind that is not final; 0 where there is none. */
  readonly oldestOpenMs: Readonly<Record<'payin' | 'payout', number>>
}

/** A response was usable, but not as this version of the library knows it. */
export interface DriftEvent {
  /** For example `GET /payouts/{idPayout}`. */
  readonly route: string
  /** Paths and expectations, for example `process.processedAt: expected string`. Never values. */
  readonly issues: readonly string[]
}

/** A callback was answered by a `CallbackReceiver`. */
export interface CallbackEvent {
  /** Absent when the callback was not signed by the receiver. */
  readonly kind?: 'payin' | 'payout'
  /** The payin that it is about. */
  readonly idPayin?: string
  /** The payout that it is about. */
  readonly idPayout?: string
  /** As in `CallbackReceiver.counts`. */
  readonly result: 'succeeded' | 'failed' | 'unavailable' | 'refused'
  /** HTTP status of the response. */
  readonly status: number
  /** From the callback to its response. */
  readonly durationMs: number
}

/** `onPayin` or `onPayout` of a `CallbackReceiver`, or `onChange` of a payment worker, has ended. */
export interface DeliveryEvent {
  /** The payin that it was called with. */
  readonly idPayin?: string
  /** The payout that it was called with. */
  readonly idPayout?: string
  /** The payment's status. */
  readonly paymentStatus?: string
  /** Whether it resolved; one that rejected or took too long is called again. */
  readonly result: 'resolved' | 'rejected'
  /** The class of what it rejected with, and no more of it. */
  readonly failure?: string
  /** How long it took, in milliseconds. */
  readonly durationMs: number
}
