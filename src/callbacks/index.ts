/**
 * Receives the gateway's callbacks.
 *
 * @module merchant-gateway/callbacks
 */

export type {
  CallbackAnswer,
  FastifyCallbackPlugin,
  FastifyLikeInstance,
  FastifyLikeReply,
  FastifyLikeRequest,
  NodeHandler,
} from './handlers.js'
export type {
  CallbackFailure,
  CallbackReceiverOptions,
  DeliveryContext,
  PayinDeliveryContext,
  PayoutDeliveryContext,
} from './options.js'
export type { PayinRef, PaymentRef, PayoutRef } from './payment-ref.js'
export { type CallbackCounts, CallbackReceiver } from './receiver.js'
export type {
  Many,
  Reconciled,
  ReconciledPayin,
  ReconciledPayout,
  ReconcileOptions,
  ReconcileOutcome,
  ReconcileProgress,
} from './reconcile.js'
export { MemorySeenStore, type SeenStatus, type SeenStore } from './seen.js'
