/**
 * Receives the gateway's callbacks.
 *
 * @module merchant-gateway/callbacks
 */

export type { PayinRef, PaymentRef, PayoutRef } from './callback-url.js'
export type {
  CatchUpOptions,
  CatchUpOutcome,
  CaughtUp,
  CaughtUpPayin,
  CaughtUpPayout,
  Many,
} from './catch-up.js'
export { type DedupeStore, type DeliveredStatus, MemoryDedupeStore } from './dedupe.js'
export type {
  CallbackResponse,
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
export { type CallbackCounts, CallbackReceiver } from './receiver.js'
