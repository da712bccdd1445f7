import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

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
