import { setImmediate } from 'node:timers/promises'
import { openRegularFile } from '../../../src/client/input/regular-file.js'
import { Counts, type LogEntry, logEntryOf } from './counts.js'
import { linesOf } from './lines.js'
import { whyOf } from './refusal.js'

/** What a log is found to be. */
export type LogFinding =
  | {
      /** No line was changed. */
      readonly ok: true
      /** How many there are. */
      readonly lines: number
      /** Of the last one. */
      readonly hash: string
      /**
       * Whether a piece of a line follows them: one that is just being written, or that a crash cut short. Nothing was
       * signed for it, and the next start of a signer takes it away.
       */
      readonly unfinished: boolean
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
 * Whether the lines of a log are those that were written. The last one is told by its hash alone.
 *
 * @param head the hash of a line that has to be among them, kept elsewhere: what is taken from the end shows by nothing
 * else.
 * @example
 * const found = await verifyLog('/var/lib/signer/signer.log')
 */
export async function verifyLog(path: string, head?: string): Promise<LogFinding> {
  const counts = new Counts()
  let hasHead = head === undefined
  let unfinished = false
  const file = await openRegularFile(path)
  try {
    for (const { text, isWhole } of linesOf(file.fd)) {
      unfinished = !isWhole
      if (unfinished) break
      counts.add(text)
      hasHead ||= counts.end.hash === head
      // A long log keeps the process from nothing else.
      if (counts.end.lines % 1000 === 0) await setImmediate()
    }
  } catch (error) {
    return { ok: false, line: counts.end.lines + 1, why: whyOf(error) }
  } finally {
    await file.close()
  }
  const { lines, hash } = counts.end
  if (lines === 0) return { ok: false, line: 1, why: 'it has no line, and a signer begins its log with one' }
  if (hasHead) return { ok: true, lines, hash, unfinished }
  const why = 'no line has that hash: lines were taken from the end, or all written anew'
  return { ok: false, line: lines, why }
}

/** What the lines of a log say. */
export async function* logEntries(path: string): AsyncGenerator<LogEntry> {
  const file = await openRegularFile(path)
  try {
    for (const { text } of linesOf(file.fd)) {
      const entry = logEntryOf(text)
      if (entry !== undefined) yield entry
    }
  } finally {
    await file.close()
  }
}
