import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CommandFailed } from './exit-codes.js'

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

/** @throws naming what could not be done with which file, and what did not happen ({@link CommandFailed}). */
export function withFile<T>(file: string, act: () => T, notDone = ''): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof CommandFailed) throw error
    throw new CommandFailed(`${file} ${fileProblem(error)}${notDone}.`)
  }
}

/**
 * Writes a file in one piece or not at all, in the place of whatever is there: a link is replaced and not followed.
 * After a power cut there is the old file or the new one.
 */
export function writeInOnePiece(path: string, text: string, mode = 0o666): void {
  // A name that nobody can have put a link under.
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode, flush: true })
    renameSync(temporary, path)
    syncFolder(path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** A file that was made is there after a power cut only when its folder is on the disk too. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(dirname(path), 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch {
    // Windows has no such thing.
  }
}

/** How a file is opened for lines that are added to it. A link that somebody has put there would be written through. */
export const toAppend =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

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

// A pipe that nobody writes to would block the open. Windows has no such flag.
const toRead = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
const mostBytes = 512 * 1024 * 1024

/**
 * The bytes of a file.
 *
 * @throws what the file system says; with the code `NOT_A_FILE` for a pipe or a device, which may never end, and
 * `TOO_LONG` for more than 512 MiB.
 */
export function readRegularFile(path: string): Buffer {
  const file = openSync(path, toRead)
  try {
    const stats = fstatSync(file)
    const isRight = stats.isFile() && stats.size <= mostBytes
    if (isRight) return readFileSync(file)
    const code = stats.isFile() ? 'TOO_LONG' : stats.isDirectory() ? 'EISDIR' : 'NOT_A_FILE'
    throw Object.assign(new Error(code), { code })
  } finally {
    closeSync(file)
  }
}
