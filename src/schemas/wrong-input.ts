import { InvalidInputError } from '../errors.js'

/** An argument that is certainly wrong: what is said of all of them in the same words. */
export function wrongInput(field: string, why: string): InvalidInputError {
  return new InvalidInputError(`${field} ${why}${why.endsWith('?') ? '' : ';'} nothing was sent.`, { field })
}
