import type { FieldKind } from './damage.js'
import { WrongLine } from './lines.js'

interface Field {
  /** Where it stands in the request. */
  readonly path: string
  readonly kind: FieldKind
  /** What else its column is called, in small letters without blanks and signs. */
  readonly names: readonly string[]
}

/** The fields of a payout that a table can have. */
export const fields: readonly Field[] = (
  [
    ['idPayout', 'id', 'id payoutid paymentid orderid requestid transactionid uuid reference'],
    ['paymentRequested.money.amount', 'amount', 'sum total value money'],
    ['paymentRequested.money.currencyCode', 'other', 'currency ccy'],
    ['paymentMethod.paymentMethodCode', 'other', 'method paymentmethod methodcode'],
    ['paymentMethod.paymentOperatorCode', 'other', 'operator paymentoperator bank bankcode bic swift'],
    ['paymentMethod.account.accountName', 'name', 'name payee beneficiary recipient accountholder'],
    ['paymentMethod.account.accountNumber', 'account', 'iban account accountno number'],
    ['paymentMethod.emailAddress', 'other', 'email mail'],
    ['callbackUrl', 'other', 'callback url'],
  ] as const
).map(([path, kind, names]) => ({ path, kind, names: names.split(' ') }))

/** The path of the field that each column of a file holds, from left to right. */
export type Columns = readonly string[]

/** A file without these columns holds no payouts. */
const needed = ['amount', 'currencyCode', 'paymentMethodCode']

/**
 * What the first line of a CSV file says of its columns. A field may be named by its whole path in the request
 * (`paymentRequested.money.amount`) or by the end of it (`money.amount`, `amount`).
 *
 * @throws with every reason why they can't be used. The reasons repeat nothing of the line, because a file
 * without a header has an account there ({@link WrongLine}).
 */
export function columnsOf(header: readonly string[]): Columns {
  const columns: string[] = []
  const reasons: string[] = []
  for (const [index, name] of header.entries()) {
    const path = fields.find((one) => one.path === name || one.path.endsWith(`.${name}`))?.path
    const first = path === undefined ? -1 : columns.indexOf(path)
    if (name === '') reasons.push(`column ${index + 1} has no name.`)
    else if (path === undefined)
      reasons.push(`column ${index + 1} has a name that is not known; ${theNames}${meantBy(name)}`)
    else if (first >= 0)
      reasons.push(`column ${index + 1} is ${nameOf(path)} again, as column ${first + 1} is.`)
    columns.push(path ?? '')
  }
  // A misspelt column is missing too, and has been named.
  if (reasons.length > 0) throw new WrongLine(...reasons)
  const missing = needed.filter((name) => !columns.some((path) => nameOf(path) === name))
  if (missing.length === 0) return columns
  throw new WrongLine(...missing.map((name) => `there is no column ${name}; ${theNames}.`))
}

/** The end of a sentence about a name that is not known. */
function meantBy(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z]/g, '')
  const meant = fields.find(({ path, names }) => [nameOf(path).toLowerCase(), ...names].includes(plain))
  return meant === undefined ? '.' : `; did you mean ${nameOf(meant.path)}?`
}

/** What a field is called in the file, with its column as spreadsheets name it: `amount (column B)`. */
export function columnName(field: string, columns: Columns): string {
  const index = columns.indexOf(field)
  return index < 0 ? nameOf(field) : `${nameOf(field)} (column ${letters(index)})`
}

function letters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

const theNames = `the first line must name the columns: ${fields.map(({ path }) => nameOf(path)).join(', ')}`
