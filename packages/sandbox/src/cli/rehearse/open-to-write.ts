import { constants, lstatSync, openSync } from 'node:fs'

// Windows has no such flag.
const toWriteAnew = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0)

/** @throws for a pipe, which waits for a reader, and for a link: somebody may have put it there. */
export function openToWrite(file: string): number {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFIFO() === true) {
    throw Object.assign(new Error('a pipe'), { code: 'NOT_A_FILE' })
  }
  return openSync(file, toWriteAnew, 0o600)
}
