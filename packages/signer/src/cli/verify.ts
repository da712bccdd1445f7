import { CommandFailed, exitCodes } from '../../../cli/src/exit-codes.js'
import { fileProblem } from '../../../cli/src/files.js'
import type { Io } from '../../../cli/src/io.js'
import { countOf, jsonLine, printable } from '../../../cli/src/text.js'
import { verifyLog } from '../index.js'

/** Prints whether a log is as it was written. */
export async function verify(
  log: string,
  { head, json }: { readonly head?: string; readonly json?: true },
  io: Io,
): Promise<void> {
  const found = await verifyLog(log, head).catch((error: unknown) => {
    throw new CommandFailed(`${log} ${fileProblem(error)}.`)
  })
  if (json === true) io.out(jsonLine(found))
  else if (found.ok) {
    io.out(`${countOf(found.lines, 'line')}, none changed before the last one, whose hash is ${found.hash}`)
    if (found.unfinished)
      io.note(
        'behind it is a piece of a line, cut short by a crash or just being written: nothing was signed for it.',
      )
  } else io.out(printable(`${log}: ${found.why}`))
  io.finish(found.ok ? exitCodes.ok : exitCodes.refused)
}
