import { whyNoId } from '../../client/input/payment-id.js'
import { type Door, didYouMean, endSentence } from '../../client/input/reader.js'
import { InvalidInputError } from '../../index.js'

/** An argument of a run that is certainly wrong. */
function wrongArgument(field: string, why: string): InvalidInputError {
  return new InvalidInputError(`${endSentence(`${field} ${why}`, ';')} nothing was sent.`, { field })
}

export const runDoor: Door = {
  notKnown: (name, known) => `is not known of a run (${known.join(', ')})${didYouMean(name, known)}`,
  refuse: wrongArgument,
  needsObject: () => wrongArgument('run', 'must be an object with starts'),
}

/** @throws {InvalidInputError} for what can be no idPayout. */
export function checkIdPayout(id: unknown): string {
  const why = whyNoId(id)
  if (why !== undefined || typeof id !== 'string') throw wrongArgument('idPayout', why ?? 'must be a string')
  return id
}
