import { closeSync, constants } from 'node:fs'
import { Counts } from './counts.js'
import { linesOf, openRegularFile } from './regular-file.js'
import { whyOf } from './text.js'

/**
 * What a log is found to be: right, with the hash of its last line; or wrong at a line, with a clause that says why.
 * `unfinished` is one with a piece of a line at its end, which is just being written or was cut short by a crash. Nothing
 * was signed for it, and the next start of a signer takes it away.
 */
export type LogFinding =
  | { readonly ok: true; readonly lines: number; readonly hash: string; readonly unfinished: boolean }
  | { readonly ok: false; readonly line: number; readonly why: string }

/**
 * Whether the lines of a log are those that were written. Only its hash shows whether the last one is.
 *
 * @param head the hash of a line that has to be among them, kept elsewhere: without it, lines taken from the end do not
 * show.
 * @throws what the file system says (`Error`).
 * @example
 * const found = verifyLog('/var/lib/merchant-signer/signer.log')
 */
export function verifyLog(path: string, head?: string): LogFinding {
  const counts = new Counts()
  let hasHead = head === undefined
  let unfinished = false
  const file = openRegularFile(path, constants.O_RDONLY)
  try {
    for (const { text, isWhole } of linesOf(file)) {
      unfinished = !isWhole
      if (unfinished) break
      counts.add(text)
      hasHead ||= counts.end.hash === head
    }
  } catch (error) {
    return { ok: false, line: counts.end.lines + 1, why: whyOf(error) }
  } finally {
    closeSync(file)
  }
  const { lines, hash } = counts.end
  if (lines === 0) return { ok: false, line: 1, why: 'it has no line, and a signer begins its log with one' }
  if (hasHead) return { ok: true, lines, hash, unfinished }
  const why = 'no line has that hash: lines were taken from the end, or all written anew'
  return { ok: false, line: lines, why }
}
