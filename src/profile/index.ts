/**
 * What a gateway was seen to do where the specification leaves it open: reading, comparing and keeping profiles.
 *
 * @module merchant-gateway/profile
 */

export type {
  AnswerProfile,
  BalanceProfile,
  CallbackProfile,
  GatewayProfile,
  PaymentProfile,
  RateProfile,
  RefusalCase,
  TokenProfile,
} from '../client/profile/gateway-profile.js'
export type { ScalarShape, Shape } from '../client/profile/shape.js'
export { differencesBetween } from './differences-between.js'
export { readProfile } from './read-profile.js'
