import { InvalidArgumentError } from 'commander'
import { another, path } from '../../../src/cli/arguments.js'

export function anotherPath(text: string, earlier: readonly string[] | undefined): readonly string[] {
  return another(path(text), earlier)
}

export function someText(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('It must not be empty.')
}
