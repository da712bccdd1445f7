import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'

/**
 * Opens a file. A pipe that nobody writes to would hold the process up, and a device may never end.
 *
 * @throws what the file system says, or that it is no file.
 */
export function openRegularFile(path: string, flags: number, mode?: number): number {
  const file = openSync(path, flags | constants.O_NONBLOCK, mode)
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  throw new Error('it is no file')
}

/**
 * The text of a file that others than its owner may not write to. With `uid` it must be that user's own, and no link.
 *
 * @throws what the file system says, or why the file can't be believed.
 */
export function textOfGuarded(path: string, uid?: number): string {
  const noLink = uid === undefined ? 0 : constants.O_NOFOLLOW
  const file = openRegularFile(path, constants.O_RDONLY | noLink)
  try {
    const stats = fstatSync(file)
    // Windows keeps permissions elsewhere.
    if ((stats.mode & 0o022) !== 0 && (uid !== undefined || process.platform !== 'win32'))
      throw new Error('others than its owner may write to it (chmod go-w)')
    if (uid !== undefined && stats.uid !== uid)
      throw new Error(`it belongs to user ${stats.uid}, and the policy names user ${uid}`)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** A line of a file, and the position behind it. */
export interface Line {
  readonly text: string
  readonly end: number
  /** False for a last line without its end, which may be half written. */
  readonly isWhole: boolean
}

/** No line is longer, in bytes. */
const longestLine = 65_536
const newLine = 10

/** The lines of an open file. */
export function* linesOf(file: number): Generator<Line> {
  const chunk = Buffer.alloc(longestLine)
  let position = 0
  let rest = Buffer.alloc(0)
  for (;;) {
    const length = readSync(file, chunk, 0, chunk.length, position + rest.length)
    if (length === 0) break
    rest = Buffer.concat([rest, chunk.subarray(0, length)])
    for (let end = rest.indexOf(newLine); end !== -1; end = rest.indexOf(newLine)) {
      position += end + 1
      yield { text: rest.toString('utf8', 0, end), end: position, isWhole: true }
      rest = rest.subarray(end + 1)
    }
    if (rest.length > longestLine) throw new Error('one of its lines is too long')
  }
  if (rest.length > 0) yield { text: rest.toString(), end: position + rest.length, isWhole: false }
}
