import { endSentence } from '../client/input/reader.js'
import { ConfigurationError } from '../index.js'

/** An option of the receiver that is unknown, missing or wrong. */
export function wrongOption(option: string, why: string): ConfigurationError {
  return new ConfigurationError(endSentence(`${option} ${why}`, '.'), { option })
}

/** A method that makes a handler was handed over in place of what it makes: it would never answer. */
export function checkBrackets(method: 'node' | 'express' | 'fastify', given: readonly unknown[]): void {
  if (given.length === 0) return
  throw new ConfigurationError(
    `${method} stands without brackets, so no callback is answered and your function is told of no payment; write callbacks.${method}().`,
    { option: method },
  )
}
