import type { GatewayClient, Payin, PaymentKind, Payout } from '../index.js'
import type { PaymentRef } from './callback-url.js'
import type { DedupeStore, DeliveredStatus } from './dedupe.js'

/** What the merchant's function gets beside the payment. */
export interface DeliveryContext {
  /** Whether the status differs from the one that this function dealt with last. */
  readonly isNew: boolean
  /**
   * What this function dealt with last; undefined where that isn't known. Where `previous.final` is true, a payment has
   * changed that was thought to be at its end: reversed, returned, or open again.
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
   * Name of the environment that URLs are bound to, in place of `publicUrl`: `'production'`. The URLs of another
   * environment are then refused, also with the same secret, and those of this one stay good when it moves.
   */
  environment?: string | undefined
  /** Where the receiver was reached before: URLs that are bound to these stay good. */
  previousPublicUrls?: readonly (string | URL)[] | undefined
  /**
   * Called with a payin that changed, at least once. Make it idempotent: change the order's status and
   * all that follows from it in one transaction, and only where it is not that already. When it rejects,
   * the gateway is answered 500.
   */
  onPayin?: ((payin: Payin, context: PayinDeliveryContext) => unknown) | undefined
  /** Called with a payout that changed, at least once, as `onPayin` is with payins. */
  onPayout?: ((payout: Payout, context: PayoutDeliveryContext) => unknown) | undefined
  /**
   * For payments that a queue follows (`merchant-gateway/bullmq`): called with `{ idPayin }` or `{ idPayout }` before
   * anything is looked up. True: a worker looks and deals with it, so the callback is answered 204. False: no queue
   * knows the payment, and it is looked up and handed to `onPayin` or `onPayout`. It has `lookupDeadlineMs`; when it
   * rejects or is late, the gateway is answered 503.
   */
  wake?: ((payment: PaymentRef) => PromiseLike<boolean> | boolean) | undefined
  /** Notified of lookups that failed, functions that rejected, and stores that failed. Default: a process warning. */
  onError?: ((error: unknown, failure: CallbackFailure) => void) | undefined
  /** Remembers what your functions have dealt with. Default: the newest ten thousand payments, in memory. */
  dedupe?: DedupeStore | undefined
  /**
   * How long the gateway waits for the lookup, in milliseconds, before it is answered 503. The lookup goes on.
   * Default 4000: callers seldom wait longer than five seconds.
   */
  lookupDeadlineMs?: number | undefined
  /** How long your function may take, in milliseconds. Default 30 000. */
  functionTimeoutMs?: number | undefined
  /**
   * How long one use of the `dedupe` store may take, in milliseconds, before the callback is dealt with as new. A store
   * that took longer is left alone for ten times as long, or until it answers. Default 1000.
   */
  dedupeTimeoutMs?: number | undefined
  /** How many payments may wait for their lookup or function; the next is answered 503. Default 1000. */
  maxPending?: number | undefined
  /** Allows a plain http `publicUrl` that is not loopback. Default false. */
  allowInsecureHttp?: boolean | undefined
}
