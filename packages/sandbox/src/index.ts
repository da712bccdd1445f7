/**
 * The gateway in this process, for tests and demos: strict where its specification is.
 *
 * @module merchant-gateway-sandbox
 */

export { createSandbox } from './create-sandbox.js'
export type { SandboxCallback } from './gateway/callbacks/attempt.js'
export type { CallbackReply, CallbackRequest, DeliverCallback } from './gateway/callbacks/delivery.js'
export type { CallbackForm } from './gateway/callbacks/form.js'
export type { SandboxClock } from './gateway/clock/clock.js'
export type { LimiterKind } from './gateway/engine/limiter.js'
export type { SandboxExchange, SandboxRequest } from './gateway/engine/logged-request.js'
export {
  type ExactlyOnceOptions,
  expectCallbacksAnswered,
  expectExactlyOnce,
  expectNoPayment,
  expectNoRateLimitHit,
  expectNoRefusals,
  SandboxExpectationError,
  type TimelineAim,
  type TimelineEvent,
  timelineOf,
} from './gateway/expect/expectations.js'
export type {
  CallbackFaultAction,
  CallbackFaultOptions,
  FaultAction,
  FaultHandle,
  FaultOptions,
  MatchedRequest,
} from './gateway/faults/fault.js'
export { type MagicAmount, magicAmounts, type ResponseFault } from './gateway/faults/magic-amounts.js'
export type { SandboxOperator, SandboxOptions } from './gateway/options.js'
export type {
  PaymentKind,
  SandboxPayment,
  SandboxStatus,
  StatusChange,
  StatusOptions,
} from './gateway/payments/payment.js'
export type { SandboxPayments } from './gateway/payments/payment-store.js'
export type { Sandbox, SandboxClientOptions } from './gateway/sandbox.js'
export type { SandboxFetch } from './gateway/transports/fetch.js'
export type { ListenOptions, SandboxServer } from './gateway/transports/server.js'
export type { SandboxMoney } from './gateway/wire/money.js'
export type { ErrorFormat } from './gateway/wire/response.js'
export type { RouteName } from './gateway/wire/routes.js'
