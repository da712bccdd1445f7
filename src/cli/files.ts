import { readFileSync } from 'node:fs'
import { CommandFailed } from './exit-codes.js'

/** What went wrong with a file, in words. */
export function fileProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return (code === undefined ? undefined : problems[code]) ?? 'cannot be used'
}

const problems: Readonly<Partial<Record<string, string>>> = {
  EACCES: 'may not be accessed',
  EEXIST: 'exists already',
  EISDIR: 'is a directory',
  ENOENT: 'does not exist',
  ENOSPC: 'does not fit on the disk',
  ENOTDIR: 'is not a directory',
  EPERM: 'may not be accessed',
  EROFS: 'is on a file system that is read-only',
}

/** @throws {CommandFailed} naming the file. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CommandFailed(`${file} ${fileProblem(error)}.`)
  }
}
