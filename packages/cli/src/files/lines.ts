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

/** A payout takes some hundred bytes. */
const mostBytes = 64 * 1024

const lineFeed = 10
const carriageReturn = 13
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** The lines of a text in UTF-8, with or without a byte order mark, ended by LF or CR LF. Empty ones are only counted. */
export function* linesOf(bytes: Buffer): Generator<Line | LineProblem> {
  let start = bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
  for (let number = 1; start < bytes.length; number++) {
    const feed = bytes.indexOf(lineFeed, start)
    const end = feed < 0 ? bytes.length : feed
    const line = lineFrom(bytes.subarray(start, end), number)
    if (line !== undefined) yield line
    start = end + 1
  }
}

function lineFrom(raw: Buffer, number: number): Line | LineProblem | undefined {
  const bytes = raw.at(-1) === carriageReturn ? raw.subarray(0, -1) : raw
  const reason = whyNoLine(bytes)
  if (reason !== undefined) return { line: number, reason }
  const text = bytes.toString('utf8')
  return text.trim() === '' ? undefined : { number, text }
}

function whyNoLine(bytes: Buffer): string | undefined {
  if (bytes.includes(carriageReturn)) return 'the line holds a carriage return; end lines with LF or CR LF.'
  if (bytes.length > mostBytes) return `the line has more than ${mostBytes} bytes; a payout has some hundred.`
  if (bytes.includes(0)) return 'the line holds zero bytes; save the file as UTF-8 ("CSV UTF-8" in Excel).'
  if (!isUtf8(bytes)) return 'the line is not UTF-8; save the file as UTF-8 ("CSV UTF-8" in Excel).'
  return undefined
}
