/**
 * The client of the payment gateway, its errors and its types.
 *
 * @module merchant-gateway
 */

export { type OperationIds, operation, type PathParameters } from './client/auth/operations.js'
export type { TokenFamily } from './client/auth/scopes.js'
export type { Signer } from './client/auth/signer.js'
export type { TokenCache } from './client/auth/token-cache.js'
export { type DecodedToken, ServerToken, type ShareableToken } from './client/auth/tokens.js'
export { GatewayClient } from './client/client.js'
export { privateKeyFromEnv } from './client/env.js'
export { type ErrorCodeMeaning, errorCodes, type GatewayErrorClass } from './client/error-codes.js'
export * from './client/errors.js'
export type {
  Counted,
  CountedRate,
  Limiter,
  Permit,
  PermitRequest,
  Priority,
} from './client/http/limit/limiter.js'
export {
  type ResponseInfo,
  responseOf,
  type WithResponse,
  withResponse,
} from './client/http/response.js'
export type { HttpMethod } from './client/http/transport/transport.js'
export type { CallOptions, WaitOptions } from './client/input/call-options.js'
export { damageOf } from './client/input/damage.js'
export type { PrivateKeyInput } from './client/input/private-key.js'
export type { QueryValue } from './client/input/query.js'
export { type GatewayEventName, onGatewayEvent } from './client/observe/channels.js'
export type * from './client/observe/events.js'
export type { GatewayLogger } from './client/observe/logger.js'
export type {
  ClientCredential,
  ClientOptions,
  ClientSettings,
  GatewayEnvironment,
  MerchantSecretCredential,
  PrivateKeyCredential,
  SignerCredential,
} from './client/options.js'
export type { CallbackLookUps, CallbackPort, CallbackReceiving } from './client/payments/callback-link.js'
export type { StatusRules } from './client/payments/reading.js'
export { idOf } from './client/payments/reading.js'
export { refundId } from './client/payments/refund.js'
export { checkPayout } from './client/payments/requests.js'
export {
  isFinal,
  isPaid,
  type OtherStatus,
  type PaymentLike,
  statusOf,
} from './client/payments/status.js'
export type { Currencies, MerchantInfoResource, PaymentOperators } from './client/resources/account.js'
export type {
  AuthTokens,
  CreatedToken,
  ShareableTokenInput,
  TokenByActionInput,
  TokenByOperationsInput,
  TokenLimits,
} from './client/resources/auth-tokens.js'
export type { Balances, BalancesInput, BalancesResult } from './client/resources/balances.js'
export type { CustomRequest } from './client/resources/custom-request.js'
export type { AcceptedPayin, Payins, ReplayedPayin } from './client/resources/payins.js'
export type { AcceptedPayout, Payouts, ReplayedPayout } from './client/resources/payouts.js'
export type {
  Refund,
  RefundInput,
  RefundList,
  RefundOptions,
  RefundReading,
} from './client/resources/refunds.js'
export type { CodeList, MerchantInfo } from './client/schemas/account-data.js'
export { type GatewaySchemas, schemas } from './client/schemas/exported.js'
export { type Money, type MoneyInput, money, moneyFromMinorUnits } from './client/schemas/money.js'
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
} from './client/schemas/payins.js'
export type {
  Account,
  AccountInput,
  PayinMethodCode,
  PaymentCreateInput,
  PaymentKind,
  PaymentMethodInput,
  PaymentProcess,
  PaymentRequested,
  PaymentRequestedInput,
  PaymentStatus,
  PayoutMethodCode,
} from './client/schemas/payment.js'
export type {
  Payout,
  PayoutCreateInput,
  PayoutCreateResponse,
  PayoutMethodInput,
  PayoutMethodResponse,
} from './client/schemas/payouts.js'
export type {
  StandardIssue,
  StandardPathSegment,
  StandardResult,
  StandardSchema,
} from './client/schemas/standard-schema.js'
