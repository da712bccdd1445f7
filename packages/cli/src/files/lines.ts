import { isUtf8 } from 'node:buffer'
import { setImmediate as breathe } from 'node:timers/promises'

/** What is wrong with a line, in words that show nothing of it. */
export interface LineProblem {
  /** Number of the line; 1 is the first of the file. */
  readonly line: number
  /** Ends in a full stop or a question mark, and shows no account and no name. */
  readonly reason: string
}

/** Thrown by whatever reads a line. */
export class WrongLine extends Error {
  readonly reasons: readonly string[]

  constructor(...reasons: readonly string[]) {
    super('a line is wrong')
    this.reasons = reasons
  }
}

/** A payout takes some hundred bytes. */
const mostBytes = 64 * 1024

const lineFeed = 10
const carriageReturn = 13
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Reads a text in UTF-8, with or without a byte order mark, whose lines end with LF or CR LF. Empty lines are only
 * counted. A hundred thousand lines take some seconds, in which others get their turn.
 *
 * @param hasHeader whether no other line means anything when the first one is wrong.
 */
export async function readLines<T>(
  bytes: Buffer,
  read: (text: string, line: number) => T | undefined,
  hasHeader: boolean,
): Promise<{ readonly found: readonly T[]; readonly problems: readonly LineProblem[] }> {
  const found: T[] = []
  const problems: LineProblem[] = []
  let isFirst = true
  let start = bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
  for (let line = 1; start < bytes.length; line++) {
    if (line % 1000 === 0) await breathe()
    const feed = bytes.indexOf(lineFeed, start)
    const end = feed < 0 ? bytes.length : feed
    try {
      const text = textOf(bytes.subarray(start, end))
      const one = text.trim() === '' ? undefined : read(text, line)
      if (one !== undefined) found.push(one)
      isFirst &&= text.trim() === ''
    } catch (error) {
      if (!(error instanceof WrongLine)) throw error
      problems.push(...error.reasons.map((reason) => ({ line, reason })))
      if (isFirst && hasHeader) break
      isFirst = false
    }
    start = end + 1
  }
  return { found, problems }
}

function textOf(raw: Buffer): string {
  const bytes = raw.at(-1) === carriageReturn ? raw.subarray(0, -1) : raw
  if (bytes.includes(carriageReturn))
    throw new WrongLine('the line holds a carriage return; end lines with LF or CR LF.')
  if (bytes.length > mostBytes)
    throw new WrongLine(`the line has more than ${mostBytes} bytes; a payout has some hundred.`)
  if (bytes.includes(0) || !isUtf8(bytes))
    throw new WrongLine('the line is not UTF-8; save the file as UTF-8 ("CSV UTF-8" in Excel).')
  return bytes.toString('utf8')
}
