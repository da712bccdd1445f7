import { nearest } from '../../../../src/client/input/nearest.js'

/** Where the fields of a payout stand in its request. */
const paths = [
  'idPayout',
  'paymentRequested.money.amount',
  'paymentRequested.money.currencyCode',
  'paymentMethod.paymentMethodCode',
  'paymentMethod.paymentOperatorCode',
  'paymentMethod.account.accountName',
  'paymentMethod.account.accountNumber',
  'paymentMethod.emailAddress',
  'callbackUrl',
] as const

/** Which field each column of a file holds, from left to right. */
export type Columns = readonly (readonly string[])[]

/** A file without these columns holds no payouts, whatever else it may be. */
const needed = ['amount', 'currencyCode', 'paymentMethodCode']

/**
 * What the first line of a CSV file says of its columns. A field may be named by its whole path in the
 * request (`paymentRequested.money.amount`) or by the end of it (`money.amount`, `amount`).
 *
 * @returns the columns, or every reason why they can't be used. The reasons repeat nothing of the line,
 * because a file without a header has an account there.
 */
export function columnsOf(
  header: readonly string[],
): { readonly columns: Columns } | { readonly reasons: readonly string[] } {
  const found = header.map(pathNamed)
  const reasons = found.flatMap((path, index) => reasonsAgainst(path, index, header, found))
  for (const name of needed) {
    // One that is spelled wrong is missing too, and has been spoken of.
    if (reasons.length === 0 && !found.some((path) => lastOf(path) === name)) {
      reasons.push(
        `there is no column ${name}; the first line must name the columns: ${paths.map(shortest).join(', ')}.`,
      )
    }
  }
  return reasons.length > 0 ? { reasons } : { columns: found.map((path) => path?.split('.') ?? []) }
}

/** What a field is called in the file, with its column as spreadsheets name it: `amount (column B)`. */
export function columnName(field: string, columns: Columns): string {
  const index = columns.findIndex((path) => path.join('.') === field)
  return index < 0 ? shortest(field) : `${shortest(field)} (column ${letters(index)})`
}

function letters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last
}

type Path = (typeof paths)[number]

function pathNamed(name: string): Path | undefined {
  return paths.find((path) => path === name || path.endsWith(`.${name}`))
}

function reasonsAgainst(
  path: Path | undefined,
  index: number,
  header: readonly string[],
  found: readonly (Path | undefined)[],
): string[] {
  const column = `column ${index + 1}`
  const name = header[index] ?? ''
  if (name === '') return [`${column} has no name.`]
  if (path === undefined) return [`${column} has a name that is not known${suggestion(name)}`]
  const first = found.indexOf(path)
  return first === index ? [] : [`${column} is ${shortest(path)} again, as column ${first + 1} is.`]
}

function suggestion(name: string): string {
  const known = paths.flatMap(namesOf)
  const meant = nearest(name, known)
  return meant === undefined
    ? `; the names are ${paths.map(shortest).join(', ')}.`
    : `; did you mean ${meant}?`
}

/** `amount`, `money.amount` and `paymentRequested.money.amount`. */
function namesOf(path: string): string[] {
  const parts = path.split('.')
  return parts.map((_, index) => parts.slice(-1 - index).join('.'))
}

function shortest(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

function lastOf(path: string | undefined): string | undefined {
  return path === undefined ? undefined : shortest(path)
}
