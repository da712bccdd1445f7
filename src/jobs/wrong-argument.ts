import { whyNoId } from '../client/input/payment-id.js'
import { argumentWords } from '../client/input/reader.js'
import { InvalidInputError } from '../index.js'

const words = argumentWords(InvalidInputError, 'run', 'known of a run')

export const runWords = { ...words, needsObject: () => words.refuse('run', 'must be an object with starts') }

/** @throws {InvalidInputError} for what can be no id of a payment. */
export function checkId(field: 'idPayin' | 'idPayout', id: unknown): string {
  const why = whyNoId(id)
  if (why !== undefined || typeof id !== 'string') throw words.refuse(field, why ?? 'must be a string')
  return id
}
