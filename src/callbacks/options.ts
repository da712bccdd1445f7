import type { GatewayClient, Payin, PaymentKind, Payout } from '../index.js'
import type { PaymentRef } from './callback-url.js'
import type { DedupeStore, DeliveredStatus } from './dedupe.js'

/** What the merchant's function gets beside the payment. */
export interface DeliveryContext {
  /** Whether the status differs from the one that this function dealt with last. */
  readonly isNew: boolean
  /**
   * What this function dealt with last, as far as it is known. Where `previous.final` is true, the payment was reversed,
   * returned, or opened again.
   */
  readonly previous: Pick<DeliveredStatus, 'status' | 'final'> | undefined
  /** Fires after `functionTimeoutMs`; the callback is then answered 500. */
  readonly signal: AbortSignal
}

/** What `onPayin` gets beside the payin. */
export interface PayinDeliveryContext extends DeliveryContext {
  /** Your id of the payin. */
  readonly idPayin: string
}

/** What `onPayout` gets beside the payout. */
export interface PayoutDeliveryContext extends DeliveryContext {
  /** Your id of the payout. */
  readonly idPayout: string
}

/** What went wrong with one callback. Never the payment itself. */
export interface CallbackFailure {
  /** Which of the two functions it was for. */
  readonly kind: PaymentKind
  /** The payment's id. */
  readonly id: string
  /** What went wrong: looking the payment up, your function, `wake`, or the `dedupe` store. */
  readonly during: 'lookup' | 'function' | 'wake' | 'dedupe-store'
}

/** Options of {@link CallbackReceiver}. Durations are in milliseconds. */
export interface CallbackReceiverOptions {
  /** The client that looks payments up. The receiver attaches itself to it. */
  client: Pick<GatewayClient, 'account' | 'attachCallbacks'>
  /** Where the gateway reaches this receiver, without the last segment: `https://shop.example/gateway/callbacks`. */
  publicUrl: string | URL
  /**
   * Secrets of at least 32 random bytes. The first signs, all verify, so that keys can rotate. Default: the
   * environment variable GATEWAY_CALLBACK_SECRET, several with commas between them.
   */
  secrets?: readonly (string | Uint8Array)[] | undefined
  /**
   * What URLs are bound to in place of `publicUrl`: `'production'`. Those of another environment are refused, also with
   * the same secret, and those of this one stay good when it moves.
   */
  environment?: string | undefined
  /** Where the receiver was reached before: URLs that are bound to these stay good. */
  previousPublicUrls?: readonly (string | URL)[] | undefined
  /**
   * Called at least once with a payin that changed. Make it idempotent: change the order's status and all that follows
   * from it in one transaction, and only where it is not that already. When it rejects, the gateway is answered 500.
   */
  onPayin?: ((payin: Payin, context: PayinDeliveryContext) => unknown) | undefined
  /** The same for payouts. */
  onPayout?: ((payout: Payout, context: PayoutDeliveryContext) => unknown) | undefined
  /**
   * For payments that a queue follows (`merchant-gateway/bullmq`): called before anything is looked up. True: a worker
   * deals with the payment, so the callback is answered 204. False: it is looked up and handed to `onPayin` or
   * `onPayout`. Where it rejects, or takes longer than `lookupDeadlineMs`, the gateway is answered 503.
   */
  wake?: ((payment: PaymentRef) => PromiseLike<boolean> | boolean) | undefined
  /** Notified of lookups that failed, functions that rejected, and stores that failed. Default: a process warning. */
  onError?: ((error: unknown, failure: CallbackFailure) => void) | undefined
  /** Remembers what your functions have dealt with. Default: the newest ten thousand payments, in memory. */
  dedupe?: DedupeStore | undefined
  /** How long the gateway waits for the lookup, which then goes on, in milliseconds. Default 4000: few callers wait longer than 5 s. */
  lookupDeadlineMs?: number | undefined
  /** How long your function may take, in milliseconds. Default 30 000. */
  functionTimeoutMs?: number | undefined
  /**
   * How long one use of the `dedupe` store may take, in milliseconds. After that the callback is dealt with as new, and
   * the store is not used for ten times as long, or until it responds. Default 1000.
   */
  dedupeTimeoutMs?: number | undefined
  /** How many payments may wait for their lookup or function; the next is answered 503. Default 1000. */
  maxPending?: number | undefined
  /** Allows a plain http `publicUrl` that is not loopback. Default false. */
  allowInsecureHttp?: boolean | undefined
}
