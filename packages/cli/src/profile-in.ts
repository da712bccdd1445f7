import { jsonOf } from '../../../src/client/input/json.js'
import { type GatewayProfile, readProfile } from '../../../src/profile/index.js'
import { CommandFailed } from './exit-codes.js'
import { readText } from './files.js'

/**
 * The profile that a file holds.
 *
 * @throws {CommandFailed} or {ConfigurationError} for a file that holds none.
 */
export function profileIn(file: string, option: string): GatewayProfile {
  const json = jsonOf(readText(file))
  // What a parser would say repeats what is in the file.
  if (json === undefined) {
    throw new CommandFailed(`${option} must name a profile: a file of JSON that "learn" has written.`)
  }
  return readProfile(json)
}
