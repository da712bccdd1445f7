/**
 * The client of the payment gateway, its errors and its types.
 *
 * @module merchant-gateway
 */

export { memoryTokenStore } from './auth/memory-token-store.js'
export { type OperationIds, operation, type PathParameters } from './auth/operations.js'
export type { TokenFamily } from './auth/scopes.js'
export type { PrivateKeyInput, Signer } from './auth/signer.js'
export type { SharedToken, TokenClaim, TokenStore } from './auth/token-store.js'
export { type DecodedToken, ServerToken, type ShareableToken } from './auth/tokens.js'
export { GatewayClient } from './client.js'
export type { GatewayEnvironment } from './env.js'
export * from './errors.js'
export type {
  AnswerProfile,
  CallbackProfile,
  GatewayProfile,
  PaymentProfile,
  RateProfile,
  RefusalCase,
  TokenProfile,
} from './gateway-profile/profile.js'
export type { Counted, CountedRate, Limiter, Permit, PermitRequest, Priority } from './http/limit/limiter.js'
export { type ResponseInfo, responseOf, type WithResponse, withResponse } from './http/response-info.js'
export type { HttpMethod } from './http/transport/transport.js'
export type { CallOptions } from './input/call-options.js'
export type { QueryValue } from './input/query.js'
export type { WaitOptions } from './input/wait-options.js'
export type { GatewayEventName } from './observe/channels.js'
export type * from './observe/events.js'
export type { GatewayLogger } from './observe/logger.js'
export { onGatewayEvent } from './observe/on-gateway-event.js'
export type {
  ClientCredential,
  ClientOptions,
  ClientSettings,
  MerchantSecretCredential,
  PrivateKeyCredential,
  SignerCredential,
} from './options.js'
export type { CallbackLookUps, CallbackPort, CallbackReceiving } from './payments/callback-link.js'
export { checkPayout } from './payments/check-payout.js'
export {
  type AnyPayment,
  isFinal,
  isPaid,
  type OtherStatus,
  type PaymentLike,
  statusOf,
} from './payments/final.js'
export type {
  AuthTokens,
  CreatedToken,
  ShareableTokenInput,
  TokenByActionInput,
  TokenByOperationsInput,
  TokenLimits,
} from './resources/auth-tokens.js'
export type { Balances, BalancesInput, BalancesResult } from './resources/balances.js'
export type { Currencies } from './resources/currencies.js'
export type { CustomRequest } from './resources/custom-request.js'
export type { MerchantInfoResource } from './resources/merchant-info.js'
export type { AcceptedPayin, Payins, ReplayedPayin } from './resources/payins.js'
export type { PaymentOperators } from './resources/payment-operators.js'
export type { AcceptedPayout, Payouts, ReplayedPayout } from './resources/payouts.js'
export type { Account, AccountInput } from './schemas/account.js'
export type { CodeList, MerchantInfo } from './schemas/account-data.js'
export { type GatewaySchemas, schemas } from './schemas/exported.js'
export { moneyFromMinorUnits } from './schemas/minor-units.js'
export { type Money, type MoneyInput, money } from './schemas/money.js'
export type {
  CustomerAccountData,
  FoundPayinMethod,
  Payin,
  PayinCreateInput,
  PayinCreateResponse,
  PayinMethodFields,
  PayinMethodInput,
  PayinMethodResponse,
  PaymentOption,
  PaymentOptionOperator,
  PaymentOptions,
} from './schemas/payins.js'
export type {
  PayinMethodCode,
  PaymentCreateInput,
  PaymentMethodInput,
  PaymentProcess,
  PaymentRequested,
  PaymentRequestedInput,
  PaymentStatus,
  PayoutMethodCode,
} from './schemas/payment.js'
export type { PaymentKind } from './schemas/payment-kind.js'
export type {
  Payout,
  PayoutCreateInput,
  PayoutCreateResponse,
  PayoutMethodInput,
  PayoutMethodResponse,
} from './schemas/payouts.js'
export type {
  StandardIssue,
  StandardPathSegment,
  StandardResult,
  StandardSchema,
} from './schemas/standard-schema.js'
export type { ScalarShape, Shape } from './shapes/shape.js'
