import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CommandFailed } from './exit-codes.js'
import { readRegularFile } from './input/read-file.js'

/** What went wrong with a file, in words. */
export function fileProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return (code === undefined ? undefined : problems[code]) ?? 'cannot be used'
}

const problems: Readonly<Partial<Record<string, string>>> = {
  EACCES: 'may not be accessed',
  EDQUOT: 'does not fit on the disk',
  EEXIST: 'exists already',
  EFBIG: 'does not fit on the disk',
  EISDIR: 'is a directory',
  ENOENT: 'does not exist',
  ENOSPC: 'does not fit on the disk',
  ENOTDIR: 'is not a directory',
  NOT_A_FILE: 'is a pipe or a device and not a file',
  ELOOP: 'is a link, and what it leads to may be another file',
  EPERM: 'may not be accessed',
  EROFS: 'is on a file system that is read-only',
  TOO_LONG: 'is too long',
}

/** @throws {CommandFailed} naming what could not be done with which file. */
export function withFile<T>(file: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new CommandFailed(`${file} ${fileProblem(error)}.`)
  }
}

/** @throws {CommandFailed} naming the file, where its name looks like one; a secret may stand in its place. */
export function readText(file: string): string {
  try {
    return readRegularFile(file, longestText).toString('utf8')
  } catch (error) {
    const shown = /^[^\r\n]{0,240}\.[a-z]{1,8}$/i.test(file) ? file : 'a file that is named there'
    throw new CommandFailed(`${shown} ${fileProblem(error)}.`)
  }
}

/** No key and no file of options is longer. */
const longestText = 4 * 1024 * 1024

/**
 * Writes a file in one piece or not at all, in the place of whatever is there: a link is replaced and not followed.
 */
export function writeInOnePiece(path: string, pieces: Iterable<string>, mode = 0o666): void {
  // A name that nobody can have put a link under.
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    const file = openSync(temporary, 'wx', mode)
    try {
      for (const batch of batches(pieces)) writeFileSync(file, batch)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Pieces of some size: a hundred thousand small writes take their time. */
function* batches(pieces: Iterable<string>): Generator<string> {
  let batch = ''
  for (const piece of pieces) {
    batch += piece
    if (batch.length < 65_536) continue
    yield batch
    batch = ''
  }
  yield batch
}

/** One by one: with `recursive`, Node never comes back from where no folder can be made, such as /proc. */
export function makeFolder(folder: string, mode: number): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) return
  if (found !== undefined) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' })
  const above = dirname(folder)
  if (above !== folder) makeFolder(above, mode)
  mkdirSync(folder, mode)
}

interface NewFile {
  readonly file: string
  readonly text: string | Buffer
  readonly mode: number
}

/**
 * Writes files that are not there yet, all or none: a disk that is full leaves no half of a key.
 *
 * @param attempt runs one writing, and may give its error another form.
 * @param onExit has the files taken away when the process is ended meanwhile; returns how to forget it.
 */
export function writeAll(
  files: readonly NewFile[],
  attempt: (file: string, act: () => void) => void,
  onExit: (undo: () => void) => () => void,
  write: typeof writeFileSync = writeFileSync,
): void {
  // Made here: what is taken away is never somebody's own.
  const opened: string[] = []
  const undo = () => {
    for (const file of opened) rmSync(file, { force: true })
  }
  const forget = onExit(undo)
  try {
    for (const { file, text, mode } of files) {
      attempt(file, () => {
        const made = openSync(file, 'wx', mode)
        opened.push(file)
        try {
          // To the disk itself: a full one may tell only then.
          write(made, text, { flush: true })
        } finally {
          closeSync(made)
        }
      })
    }
  } catch (error) {
    undo()
    throw error
  } finally {
    forget()
  }
}

/**
 * The file that a name leads to, and the name as it is where that is no link: lock, results and ids belong to the
 * file, or two runs that know it by two names would each write ids of their own into it, and pay everybody twice.
 */
export function withoutLinks(path: string): string {
  try {
    const real = realpathSync(path)
    return real === resolve(path) ? path : real
  } catch {
    // Whoever reads it says what is wrong with it.
    return path
  }
}
