import { ConfigurationError, InvalidInputError } from '../errors.js'
import { argumentWords, endSentence, type Words } from './reader.js'

export function wrongInput(field: string, why: string): InvalidInputError {
  return new InvalidInputError(`${endSentence(`${field} ${why}`, ';')} nothing was sent.`, { field })
}

export function argument(name: string, notA: string): Words {
  return argumentWords(InvalidInputError, name, notA)
}

export function wrongOption(option: string, why: string): ConfigurationError {
  return new ConfigurationError(endSentence(`${option} ${why}`, '.'), { option })
}
