import type { Row } from './reader.js'
import { wrongInput } from './wrong-input.js'

/** Control characters and lone surrogates: neither can be part of a path. */
const unfit =
  /[\u0000-\u001f\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/**
 * An id of the merchant's, when it can't reach another endpoint than its own.
 *
 * @throws {InvalidInputError} for what is empty, `.`, `..`, starts with `!` (the gateway's own names do,
 * specification, section 4), or holds a slash, a backslash or a control character.
 */
export function checkId(id: unknown, field: string): string {
  const wrong = (why: string) => wrongInput(field, why)
  if (typeof id !== 'string') throw wrong('must be a string')
  if (id === '') throw wrong('must not be empty')
  if (id === '.' || id === '..') throw wrong('must not be "." or "..", which are other paths')
  if (id.startsWith('!')) throw wrong('must not start with "!", which names other endpoints')
  if (/[/\\]/.test(id)) throw wrong('must not contain "/" or "\\", which are other paths')
  if (unfit.test(id)) throw wrong('must not contain control characters or halves of characters')
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
