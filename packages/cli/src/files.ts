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
import { resolve } from 'node:path'
import { CommandFailed } from './exit-codes.js'

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
const mebibyte = 1024 * 1024

/**
 * The bytes of a file.
 *
 * @throws what the file system says; with the code `NOT_A_FILE` for a pipe or a device, which may never end, and
 * `TOO_LONG` for more than so many bytes.
 */
export function readRegularFile(path: string, mostBytes = 512 * mebibyte): Buffer {
  const file = openSync(path, toRead)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw withCode(stats.isDirectory() ? 'EISDIR' : 'NOT_A_FILE')
    if (stats.size > mostBytes) throw withCode('TOO_LONG')
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code })
}
