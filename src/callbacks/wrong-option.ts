import { ConfigurationError } from '../index.js'
import { endSentence } from '../input/reader.js'

/** An option of the receiver that is unknown, missing or wrong. */
export function wrongOption(option: string, why: string): ConfigurationError {
  return new ConfigurationError(endSentence(`${option} ${why}`, '.'), { option })
}
