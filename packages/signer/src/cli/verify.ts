import { visible } from '../text.js'
import { verifyLog } from '../verify-log.js'
import { withFile } from './policy-file.js'

/** Prints whether a log is as it was written. */
export function verify(log: string, { head, json }: { readonly head?: string; readonly json?: true }): void {
  const found = withFile(log, () => verifyLog(log, head))
  process.exitCode = found.ok ? 0 : 1
  process.stdout.write(`${json === true ? JSON.stringify(found) : sentenceOf(log, found)}\n`)
  if (json === true || !found.ok || !found.unfinished) return
  const note = 'behind it is a piece of a line, cut short by a crash or just being written'
  process.stderr.write(`${note}: nothing was signed for it.\n`)
}

function sentenceOf(log: string, found: ReturnType<typeof verifyLog>): string {
  if (!found.ok) return visible(`${log}: ${found.why}`)
  const lines = `${found.lines} line${found.lines === 1 ? '' : 's'}`
  return `${lines}, none changed before the last one, whose hash is ${found.hash}`
}
