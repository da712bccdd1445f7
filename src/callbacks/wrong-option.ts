import { ConfigurationError } from '../index.js'

/** An option of the receiver that is unknown, missing or wrong. */
export function wrongOption(option: string, why: string): ConfigurationError {
  return new ConfigurationError(`${option} ${why}${why.endsWith('?') ? '' : '.'}`, { option })
}
