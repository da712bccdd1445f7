import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { CommandFailed, withFile } from './failure.js'

/** @param otherwise what else the option takes, for its message. */
export function wholeNumber(least: number, most: number, otherwise = ''): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}${otherwise}.`)
  }
}

/** A path; somebody may have put the key itself in its place. */
export function path(text: string): string {
  if (!/-----(?:BEGIN|END) |^\W*(?:MII|eyJ)|[\r\n]|^.{1025}/.test(text)) return text
  throw new InvalidArgumentError('It holds a key or a token itself, and not the path of a file.')
}

export function anotherPath(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, path(text)]
}

export function someText(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('It must not be empty.')
}

export function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CommandFailed('URL must be an http or https address, such as http://127.0.0.1:3000.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new CommandFailed('URL must not hold a user name or a password.')
  }
  return url
}

/** @throws naming the file, where its name looks like one; a secret may stand in its place ({@link CommandFailed}). */
export function readText(file: string): string {
  const shown = /^[^\r\n]{0,240}\.[a-z]{1,8}$/i.test(file) ? file : 'a file that is named there'
  return withFile(shown, () => readFileSync(file, 'utf8'))
}
