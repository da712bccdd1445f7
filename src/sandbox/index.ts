/**
 * The gateway in this process, for tests and demos: strict where its specification is.
 *
 * @module merchant-gateway/sandbox
 */

export type { CallbackReply, CallbackRequest, DeliverCallback } from './callback-delivery.js'
export type { CallbackAim, CallbackFaultAction, CallbackFaultOptions } from './callback-faults.js'
export type { CallbackForm } from './callback-form.js'
export type { SandboxCallback } from './callbacks.js'
export type { SandboxClock } from './clock.js'
export type { SandboxOperator } from './code-lists.js'
export { createSandbox } from './create-sandbox.js'
export {
  type ExactlyOnceOptions,
  expectCallbacksAnswered,
  expectExactlyOnce,
  expectNoPayment,
  expectNoRateLimitHit,
  expectNoRefusals,
  SandboxExpectationError,
} from './expectations.js'
export type { FaultAction, FaultHandle, FaultOptions } from './faults.js'
export type { SandboxFetch } from './fetch.js'
export type { LimiterKind } from './limiter.js'
export { type FirstCreate, type MagicAmount, magicAmounts } from './magic-amounts.js'
export type { SandboxMoney } from './money.js'
export type { SandboxOptions } from './options.js'
export type { PaymentKind, SandboxPayment, SandboxStatus, SettleOptions, StatusChange } from './payment.js'
export type { SandboxPayments } from './payments.js'
export type {
  CreateRoute,
  FoundLaterAim,
  Rare,
  RareAim,
  StatusRoute,
  TooManyRequestsAim,
  UnknownStatusAim,
} from './rare.js'
export type { ErrorFormat } from './refusal-format.js'
export type { SandboxRequest } from './request-log.js'
export type { RouteName } from './routes.js'
export type { Sandbox, SandboxClientOptions } from './sandbox.js'
export type { ListenOptions, SandboxServer } from './server.js'
export { type TimelineAim, type TimelineEvent, timelineOf } from './timeline.js'
