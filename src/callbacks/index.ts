/**
 * Receives the gateway's callbacks.
 *
 * @module merchant-gateway/callbacks
 */

export type { CallbackAnswer } from './answer.js'
export type { CallbackBroadcast, CalledBack } from './broadcast.js'
export type {
  FastifyCallbackPlugin,
  FastifyLikeInstance,
  FastifyLikeReply,
  FastifyLikeRequest,
} from './fastify-plugin.js'
export type { NodeHandler } from './node-handler.js'
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
