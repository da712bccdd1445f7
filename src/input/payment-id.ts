import { whyNoId } from './id-rules.js'
import type { Row } from './reader.js'
import { wrongInput } from './wrong-input.js'

/**
 * An id of the merchant's, when it can't reach another endpoint than its own.
 *
 * @throws {InvalidInputError} for what `whyNoId` names.
 */
export function checkId(id: unknown, field: string): string {
  const why = whyNoId(id)
  if (why !== undefined || typeof id !== 'string') throw wrongInput(field, why ?? 'must be a string')
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
