import { isUtf8 } from 'node:buffer'

/** A line of a file, without its end. Numbers start at 1, as editors show them. */
export interface Line {
  readonly number: number
  readonly text: string
}

/** What is wrong with a line, in words that show nothing of it. */
export interface LineProblem {
  /** Number of the line; 1 is the first of the file. */
  readonly line: number
  /** Ends in a full stop or a question mark, and shows no account and no name. */
  readonly reason: string
}

/** A payout takes some hundred bytes. Whatever has no line breaks at all must not fill the memory. */
const mostBytes = 64 * 1024

const lineFeed = 10
const carriageReturn = 13
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * The lines of a text in UTF-8, with or without a byte order mark, ended by LF or CR LF. Empty ones are
 * left out, and counted.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Line | LineProblem> {
  let number = 0
  let rest = new GrowingLine()
  for await (const chunk of chunks) {
    let from = 0
    for (let to = chunk.indexOf(lineFeed); to >= 0; to = chunk.indexOf(lineFeed, from)) {
      rest.add(chunk.subarray(from, to))
      from = to + 1
      const line = rest.end(++number)
      rest = new GrowingLine()
      if (line !== undefined) yield line
    }
    rest.add(chunk.subarray(from))
  }
  const last = rest.end(++number)
  if (last !== undefined) yield last
}

/** A line as its bytes come, of which no more are kept than a line may have. */
class GrowingLine {
  readonly #parts: Uint8Array[] = []
  #bytes = 0

  add(part: Uint8Array): void {
    this.#bytes += part.length
    if (part.length > 0 && this.#bytes <= mostBytes) this.#parts.push(part)
  }

  end(number: number): Line | LineProblem | undefined {
    if (this.#bytes > mostBytes) {
      return { line: number, reason: `the line has more than ${mostBytes} bytes; a payout has some hundred.` }
    }
    return lineFrom(Buffer.concat(this.#parts), number)
  }
}

function lineFrom(raw: Buffer, number: number): Line | LineProblem | undefined {
  const isMarked = number === 1 && raw.subarray(0, 3).equals(byteOrderMark)
  const bytes = withoutReturn(isMarked ? raw.subarray(3) : raw)
  if (bytes.includes(0)) {
    return {
      line: number,
      reason: 'the line holds zero bytes; save the file as UTF-8 ("CSV UTF-8" in Excel).',
    }
  }
  if (!isUtf8(bytes)) {
    return { line: number, reason: 'the line is not UTF-8; save the file as UTF-8 ("CSV UTF-8" in Excel).' }
  }
  if (bytes.includes(carriageReturn)) {
    return { line: number, reason: 'the line holds a carriage return; end lines with LF or CR LF.' }
  }
  const text = bytes.toString('utf8')
  return text.trim() === '' ? undefined : { number, text }
}

function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes
}
