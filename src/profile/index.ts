/**
 * What a gateway was seen to do where the specification leaves it open: reading, comparing and keeping profiles.
 *
 * @module merchant-gateway/profile
 */

export { differencesBetween } from './differences-between.js'
export type {
  AnswerProfile,
  CallbackProfile,
  GatewayProfile,
  PaymentProfile,
  RateProfile,
  RefusalCase,
  ScalarShape,
  Shape,
  TokenProfile,
} from './profile.js'
export { profileFromTraffic, type TrafficOptions, type TrafficProfile } from './profile-from-traffic.js'
export { readProfile } from './read-profile.js'
