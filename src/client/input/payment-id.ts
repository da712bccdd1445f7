import { whyNoId } from './id-rules.js'
import type { Row } from './reader.js'
import { wrongInput } from './wrong-input.js'

/** What columns and path segments commonly hold; a UUID has 36 characters. */
export const longestId = 255

/**
 * An id of the merchant's, when it can't reach another endpoint than its own.
 *
 * @throws {InvalidInputError} for what `whyNoId` names, and for more characters than `longest`.
 */
export function checkId(id: unknown, field: string, longest = longestId): string {
  const why = whyNoId(id)
  if (why !== undefined || typeof id !== 'string') throw wrongInput(field, why ?? 'must be a string')
  if (id.length > longest) {
    throw wrongInput(
      field,
      `must have at most ${longest} characters, and has ${id.length} (option maxIdLength)`,
    )
  }
  return id
}

/** An id that can't be left out. */
export const idRow: Row<string> = {
  expected: 'your id of the payment',
  read: (id, name, { refuse }) => {
    if (id === undefined) throw refuse(name, 'is missing; it must be your id of the payment')
    return checkId(id, name)
  },
}
