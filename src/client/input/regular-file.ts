import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

// A pipe that nobody writes to holds up whoever opens it. Windows has no such flag.
const toRead = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Opens a file to be read.
 *
 * @throws what the file system says; with the code `NOT_A_FILE` for a pipe or a device, which may never end.
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, toRead)
  try {
    refuseUnlessRegular(await file.stat())
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The text of a file, with the same errors as {@link openRegularFile}, and `TOO_LONG` for more than so many bytes. */
export function readRegularFile(path: string, mostBytes?: number): string {
  return readRegularBytes(path, mostBytes).toString('utf8')
}

/** The bytes of a file, with the same errors. */
export function readRegularBytes(path: string, mostBytes = Number.POSITIVE_INFINITY): Buffer {
  const file = openSync(path, toRead)
  try {
    const stats = fstatSync(file)
    refuseUnlessRegular(stats)
    if (stats.size > mostBytes) throw Object.assign(new Error('TOO_LONG'), { code: 'TOO_LONG' })
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** @throws an error with the code `NOT_A_FILE` or `EISDIR`. */
export function refuseUnlessRegular(stats: Stats): void {
  if (stats.isFile()) return
  const code = stats.isDirectory() ? 'EISDIR' : 'NOT_A_FILE'
  throw Object.assign(new Error(code), { code })
}
