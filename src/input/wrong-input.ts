import { InvalidInputError } from '../errors.js'
import { type Door, didYouMean } from './reader.js'

/** An argument that is certainly wrong: what is said of all of them in the same words. */
export function wrongInput(field: string, why: string): InvalidInputError {
  return new InvalidInputError(`${field} ${why}${why.endsWith('?') ? '' : ';'} nothing was sent.`, { field })
}

/** An argument of a method: what is not known of it is told with the names that are. */
export function argument(name: string, notA: string): Door {
  return {
    notKnown: (wrong, known) => `is not ${notA} (${known.join(', ')})${didYouMean(wrong, known)}`,
    refuse: wrongInput,
    needsObject: () => wrongInput(name, 'must be an object'),
  }
}
