import { decimalOf, minus } from '../input/decimal.js'
import { jsonOf } from '../input/values.js'
import type { Candidate } from './csv.js'
import type { Line, LineProblem } from './lines.js'

/** The payouts of a file that has a request of `payouts.create` as JSON on each line. */
export function* candidatesOfNdjson(lines: Iterable<Line | LineProblem>): Generator<Candidate | LineProblem> {
  for (const line of lines) yield 'reason' in line ? line : candidateOf(line)
}

function candidateOf({ number, text }: Line): Candidate | LineProblem {
  const wrong = (reason: string): LineProblem => ({ line: number, reason })
  const request = jsonOf(text)
  if (request === undefined) return wrong('the line is not JSON; each line has to be one request in braces.')
  const { names, numbers } = writtenIn(text)
  if (names > namesOf(request)) {
    return wrong('a field stands in it twice, of which JSON keeps the last; leave the wrong one out.')
  }
  if (!numbers.every(isKept)) {
    return wrong(
      'the amount has more digits than a JSON number keeps exactly; write it as a text such as "10.50".',
    )
  }
  return { line: number, request }
}

const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g

/** How many names of fields stand in a text of JSON, and its numbers as they are written. */
function writtenIn(text: string): { names: number; numbers: readonly string[] } {
  let names = 0
  const numbers: string[] = []
  for (const [token, colon] of text.matchAll(tokens)) {
    if (!token.startsWith('"')) numbers.push(token)
    else if (colon !== undefined) names++
  }
  return { names, numbers }
}

/** How many names of fields are left of it once it has been read. */
function namesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside: unknown[] = Object.values(value)
  const own = Array.isArray(value) ? 0 : inside.length
  return inside.reduce<number>((sum, one) => sum + namesOf(one), own)
}

/** Whether a number is the same once it has been read: the reader rounds silently. */
function isKept(written: string): boolean {
  const [before, after] = [decimalOf(written), decimalOf(Number(written))]
  return before !== undefined && after !== undefined && minus(before, after).units === 0n
}
