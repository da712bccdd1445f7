import { isObject, own } from '../input/own.js'
import type { ClientOptions } from '../options.js'
import { customersFields } from '../profile/customers-fields.js'
import type { GatewayProfile } from '../profile/gateway-profile.js'

/** Whether a value can be a profile, as far as the client reads it; `readProfile` looks at all of it. */
export function isProfile(value: unknown): boolean {
  return isObject(value) && value.profileVersion === 1 && hasPlaces(value.payins) && hasPlaces(value.payouts)
}

function hasPlaces(value: unknown): boolean {
  if (value === undefined) return true
  return isObject(value) && [value.statusField, value.processedAtField].every(isPlace)
}

/** A place of a payment's own, and not of its customer's. */
function isPlace(path: unknown): boolean {
  if (path === undefined) return true
  return typeof path === 'string' && !customers.test(path)
}

const customers = new RegExp(customersFields, 'i')

/** The options with those that a profile stands for, where they are not given; they are checked as all are. */
export function withProfile(clientOptions: ClientOptions, profile: GatewayProfile): ClientOptions {
  const options = own(clientOptions)
  const { tokens = {}, rate = {}, customerAccountPath } = own(profile)
  const { format = 'json', field, timestampUnit, longestValiditySecs = 900 } = own(tokens)
  const { counted } = own(rate)
  return {
    ...options,
    // The first place where a token is looked for in any case.
    tokenField: options.tokenField ?? (format !== 'json' || field === 'token' ? undefined : field),
    timestampUnit: options.timestampUnit ?? timestampUnit,
    tokenValiditySecs: options.tokenValiditySecs ?? Math.min(longestValiditySecs, 900),
    rateLimit: options.rateLimit ?? (counted && { requestsPerSecond: 10, counted }),
    customerAccountPath: options.customerAccountPath ?? customerAccountPath,
  }
}
