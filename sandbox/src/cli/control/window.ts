import { Option } from 'commander'
import { wholeNumber } from '../../../../src/cli/arguments.js'
import { listIn, words } from './answers.js'
import type { Given } from './spec.js'

/** Which part of a list is printed. */
export const windowOptions = () => [
  new Option('--limit <N>', 'how many').argParser(wholeNumber(1, 200)).default(50),
  new Option('--offset <N>', 'how many newer ones are left out')
    .argParser(wholeNumber(0, 1_000_000))
    .default(0),
]

/** A query of the API, with the filters that were given. */
export function windowQuery(given: Given, filters: Given): URLSearchParams {
  const query = new URLSearchParams({ limit: String(given.limit), offset: String(given.offset) })
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query
}

/** The rows of a list as lines, the oldest first as in a log, and how many there are besides. */
export function windowLines(listing: unknown, what: string, lineOf: (row: unknown) => string): string[] {
  const rows = listIn(listing, 'rows')
  const total = Number(words(listing, 'total'))
  const rest =
    total > rows.length ? [`${rows.length} of ${total} ${what}; --limit and --offset show others`] : []
  return rows.length === 0 && rest.length === 0 ? [`no ${what}`] : [...rest, ...rows.toReversed().map(lineOf)]
}
