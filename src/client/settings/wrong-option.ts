import { ConfigurationError } from '../errors.js'
import { endSentence } from '../input/reader.js'

/** An option of the client that is unknown, missing or wrong. */
export function wrongOption(option: string, why: string): ConfigurationError {
  return new ConfigurationError(endSentence(`${option} ${why}`, '.'), { option })
}
