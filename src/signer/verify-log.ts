import { openRegularFile } from '../client/input/regular-file.js'
import { Counts, type LogEntry, logEntryOf } from './counts.js'
import { wholeLines } from './lines.js'

/** What a log is found to be. */
export type LogFinding =
  | {
      /** No line was changed. */
      readonly ok: true
      /** How many there are. */
      readonly lines: number
      /** Of the last one. */
      readonly hash: string
    }
  | {
      /** A line is not as it was written. */
      readonly ok: false
      /** Its number, from 1 on. */
      readonly line: number
      /** What is wrong, as a sentence without its end. */
      readonly why: string
    }

/**
 * Whether the lines of a log are those that were written.
 *
 * @param head the hash of a line that has to be among them, kept elsewhere: what is taken from the end shows by nothing
 * else.
 * @example
 * const found = await verifyLog('/var/lib/signer/signer.log')
 */
export async function verifyLog(path: string, head?: string): Promise<LogFinding> {
  const counts = new Counts()
  let hasHead = head === undefined
  const file = await openRegularFile(path)
  try {
    for await (const { text } of wholeLines(file)) {
      counts.add(text)
      hasHead ||= counts.head === head
    }
  } catch (error) {
    return { ok: false, line: counts.lines + 1, why: error instanceof Error ? error.message : 'it is none' }
  } finally {
    await file.close()
  }
  if (hasHead) return { ok: true, lines: counts.lines, hash: counts.head }
  const why = 'no line has that hash: lines were taken from the end, or all written anew'
  return { ok: false, line: counts.lines, why }
}

/** What the lines of a log say. */
export async function* logEntries(path: string): AsyncGenerator<LogEntry> {
  const file = await openRegularFile(path)
  try {
    for await (const { text } of wholeLines(file)) {
      const entry = logEntryOf(text)
      if (entry !== undefined) yield entry
    }
  } finally {
    await file.close()
  }
}
