import { ConfigurationError } from '../errors.js'

/** An option of the client that is unknown, missing or wrong. */
export function wrongOption(option: string, why: string): ConfigurationError {
  return new ConfigurationError(`${option} ${why}${why.endsWith('?') ? '' : '.'}`, { option })
}
