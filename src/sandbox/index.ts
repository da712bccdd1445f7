/**
 * The gateway in this process, for tests and demos: strict where its specification is.
 *
 * @module merchant-gateway/sandbox
 */

export type { ActAnswer, CartStatus, RehearsalApplication } from '../rehearse/application.js'
export type { CallbackReply, CallbackRequest, DeliverCallback } from './callbacks/delivery.js'
export type { SandboxCallback } from './callbacks/delivery-log.js'
export type { CallbackForm } from './callbacks/form.js'
export type { SandboxClock } from './clock/clock.js'
export { createSandbox } from './create-sandbox.js'
export {
  type ExactlyOnceOptions,
  expectCallbacksAnswered,
  expectExactlyOnce,
  expectNoPayment,
  expectNoRateLimitHit,
  expectNoRefusals,
  SandboxExpectationError,
} from './expect/expectations.js'
export { type TimelineAim, type TimelineEvent, timelineOf } from './expect/timeline.js'
export type { CallbackAim, CallbackFaultAction, CallbackFaultOptions } from './faults/callback-fault.js'
export type { FaultAction, FaultHandle, FaultOptions } from './faults/fault.js'
export { type FirstCreate, type MagicAmount, magicAmounts } from './faults/magic-amounts.js'
export type {
  CreateRoute,
  FoundLaterAim,
  Rare,
  RareAim,
  StatusRoute,
  TooManyRequestsAim,
  UnknownStatusAim,
} from './faults/rare-faults.js'
export type { SandboxExchange } from './gateway/exchange.js'
export type { LimiterKind } from './gateway/limiter.js'
export type { SandboxRequest } from './gateway/logged-request.js'
export type { SandboxOptions } from './options.js'
export type { SandboxOperator } from './payments/operators.js'
export type {
  PaymentKind,
  SandboxPayment,
  SandboxStatus,
  SettleOptions,
  StatusChange,
} from './payments/payment.js'
export type { SandboxPayments } from './payments/payment-store.js'
export type { Sandbox, SandboxClientOptions } from './sandbox.js'
export type { SandboxFetch } from './transports/fetch.js'
export type { ListenOptions, SandboxServer } from './transports/server.js'
export type { SandboxMoney } from './wire/money.js'
export type { ErrorFormat } from './wire/response.js'
export type { RouteName } from './wire/routes.js'
