import { unitsOf } from '../input/amounts.js'
import { jsonOf } from '../input/values.js'
import type { Candidate } from './check-line.js'
import { WrongLine } from './lines.js'

/** The payout of a line that has a request of `payouts.create` as JSON. */
export function requestOf(text: string): Candidate {
  const request = jsonOf(text)
  if (request === undefined)
    throw new WrongLine('the line is not JSON; each line has to be one request in braces.')
  const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g)]
  const names = tokens.filter(([, colon]) => colon !== undefined)
  if (names.length > namesIn(request))
    throw new WrongLine('a field stands in it twice, of which JSON keeps the last; leave the wrong one out.')
  if (!tokens.every(([token]) => token.startsWith('"') || isKept(token))) {
    throw new WrongLine(
      'the amount has more digits than a JSON number keeps exactly; write it as a text such as "10.50".',
    )
  }
  return { request, placeOf: (field) => field }
}

/** How many names of fields are left of a line once it has been read. */
function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside: unknown[] = Object.values(value)
  const own = Array.isArray(value) ? 0 : inside.length
  return inside.reduce<number>((sum, one) => sum + namesIn(one), own)
}

/** Whether a number is the same once it has been read: the reader rounds silently. */
function isKept(written: string): boolean {
  const units = unitsOf(written)
  return units !== undefined && units === unitsOf(Number(written))
}
