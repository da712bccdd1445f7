import type { GatewayProfile } from '../client/profile/gateway-profile.js'
import { ConfigurationError } from '../index.js'
import { keepProfile } from './keep-profile.js'

/**
 * A profile, read from JSON: a copy with what this version of the format knows. Fields that a later one has
 * added are left out.
 *
 * @throws {ConfigurationError} that names the place of what is wrong, and shows nothing of it.
 *
 * @example
 * const profile = readProfile(JSON.parse(readFileSync('gateway-profile.json', 'utf8')))
 */
export function readProfile(json: unknown): GatewayProfile {
  return keepProfile(
    json,
    (path, why) =>
      new ConfigurationError(`the profile can't be read: ${path === '' ? 'it' : path} ${why}.`, {
        option: 'profile',
      }),
  )
}
