import { ConfigurationError, InvalidInputError } from '../errors.js'
import { argumentWords, endSentence, type Words } from './reader.js'

/** An argument that is certainly wrong: what is said of all of them in the same words. */
export function wrongInput(field: string, why: string): InvalidInputError {
  return new InvalidInputError(`${endSentence(`${field} ${why}`, ';')} nothing was sent.`, { field })
}

/** How an argument of a method is refused: for a name that is not known, with those that are. */
export function argument(name: string, notA: string): Words {
  return argumentWords(InvalidInputError, name, notA)
}

/** An option that is unknown, missing or wrong. */
export function wrongOption(option: string, why: string): ConfigurationError {
  return new ConfigurationError(endSentence(`${option} ${why}`, '.'), { option })
}
