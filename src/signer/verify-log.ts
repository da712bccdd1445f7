import { openRegularFile } from '../client/input/regular-file.js'
import { Counts } from './counts.js'
import { logLines } from './log-lines.js'

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
    for await (const line of logLines(file)) {
      counts.add(line)
      hasHead ||= counts.head === head
    }
  } catch (error) {
    return { ok: false, line: counts.lines + 1, why: error instanceof Error ? error.message : 'it is none' }
  } finally {
    await file.close()
  }
  if (hasHead) return { ok: true, lines: counts.lines, hash: counts.head }
  return {
    ok: false,
    line: counts.lines,
    why: 'no line has that hash: lines were taken from the end, or all written anew',
  }
}
