import { endSentence } from '../../client/input/reader.js'
import { ConfigurationError } from '../../index.js'

/** An option of the queue or the worker that is unknown, missing or wrong. */
export function wrongOption(option: string, why: string): ConfigurationError {
  return new ConfigurationError(endSentence(`${option} ${why}`, '.'), { option })
}
