import type { Candidate } from './csv.js'
import type { Line, LineProblem } from './lines.js'

/** The payouts of a file that has a request, as `payouts.create` takes it, as JSON on each line. */
export async function* candidatesOfNdjson(
  lines: AsyncIterable<Line | LineProblem>,
): AsyncGenerator<Candidate | LineProblem> {
  for await (const line of lines) yield 'reason' in line ? line : candidateOf(line)
}

function candidateOf({ number, text }: Line): Candidate | LineProblem {
  if (hasLongAmount(text)) {
    return {
      line: number,
      reason:
        'the amount has more digits than a JSON number keeps exactly; write it as a text such as "10.50".',
    }
  }
  try {
    return { line: number, request: JSON.parse(text) }
  } catch {
    // The parser's own sentence repeats the text.
    return { line: number, reason: 'the line is not JSON; each line has to be one request in braces.' }
  }
}

const amounts = /"amount"\s*:\s*-?(\d[\d.eE+-]*)/g
const mostDigits = 15

/** Whether a number was written that is another one once it has been read: the reader rounds in silence. */
function hasLongAmount(text: string): boolean {
  for (const [, number = ''] of text.matchAll(amounts)) {
    const digits = number
      .replace(/[eE].*$/, '')
      .replace('.', '')
      .replace(/^0+/, '')
    if (digits.length > mostDigits && /[1-9]/.test(digits.slice(mostDigits))) return true
  }
  return false
}
