import { checkPayout, InvalidInputError, type PayoutCreateInput } from 'merchant-gateway'
import { isObject } from '../input/values.js'
import type { Candidate } from './csv.js'
import { damageIn, type FieldKind, isWrongIban } from './damage.js'
import type { LineProblem } from './lines.js'

/** A payout of a file. */
export interface PayoutFileLine {
  /** Number of its line; 1 is the first of the file, which in a CSV file names the columns. */
  readonly line: number
  /** The request as `payouts.create` takes it. */
  readonly request: PayoutCreateInput
}

/** What the client itself would say of a request before it is sent, and what is certainly a mistake in a file. */
export function checkLine(
  { line, request, placeOf = asItIs }: Candidate,
  checkIbans: boolean,
): PayoutFileLine | LineProblem {
  if (!isPayout(request)) return { line, reason: whatIsMissing(request, placeOf) }
  const damaged = damagedFields(request, placeOf, checkIbans)
  // What the client says of a field that is damaged says less.
  const reasons =
    damaged.length > 0
      ? damaged
      : [...reasonsOfClient(request, placeOf), ...certainMistakes(request, placeOf)]
  return reasons.length === 0 ? { line, request } : { line, reason: reasons.join(' ') }
}

const asItIs = (field: string) => field

/** The client leaves it to the gateway to refuse a payout to nowhere; in a file it is a mistake. */
function isPayout(request: unknown): request is PayoutCreateInput {
  if (!isObject(request)) return false
  const { paymentMethod } = request
  return isObject(paymentMethod) && typeof paymentMethod.paymentMethodCode === 'string'
}

function whatIsMissing(request: unknown, placeOf: (field: string) => string): string {
  if (!isObject(request)) return 'the line is not a request: it has to be an object in braces.'
  const { paymentMethod } = request
  return paymentMethod === undefined || isObject(paymentMethod)
    ? `${placeOf('paymentMethod.paymentMethodCode')} is missing; it has to be a text such as "BANK_TRANSFER".`
    : 'paymentMethod must be an object with paymentMethodCode.'
}

function reasonsOfClient(request: PayoutCreateInput, placeOf: (field: string) => string): string[] {
  try {
    checkPayout(request)
    return []
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return [reasonOf(error, request, placeOf)]
  }
}

/** What spreadsheets and exports have done to the fields of a request: the whole file has to be written anew. */
function damagedFields(
  { idPayout, paymentMethod, callbackUrl }: PayoutCreateInput,
  placeOf: (field: string) => string,
  checkIbans: boolean,
): string[] {
  const { account, emailAddress, paymentMethodCode, paymentOperatorCode } = paymentMethod
  const fields: readonly [FieldKind, string, unknown][] = [
    ['id', 'idPayout', idPayout],
    ['other', 'paymentMethod.paymentMethodCode', paymentMethodCode],
    ['other', 'paymentMethod.paymentOperatorCode', paymentOperatorCode],
    ['name', 'paymentMethod.account.accountName', account?.accountName],
    ['account', 'paymentMethod.account.accountNumber', account?.accountNumber],
    ['other', 'paymentMethod.emailAddress', emailAddress],
    ['other', 'callbackUrl', callbackUrl],
  ]
  return fields.flatMap(([kind, field, value]) => {
    if (typeof value !== 'string') return []
    const damage = damageIn(value, kind)
    if (damage !== undefined)
      return [`${placeOf(field)} ${damage}; export the file again, with this column as text.`]
    if (kind !== 'account' || !checkIbans || !isWrongIban(value)) return []
    return [
      `${placeOf(field)} has the form of an IBAN and wrong check digits; correct it, or give --no-check-ibans (checkIbans: false in code) if it is no IBAN.`,
    ]
  })
}

/** What no gateway can mean, and the client lets through because a gateway might. */
function certainMistakes(request: PayoutCreateInput, placeOf: (field: string) => string): string[] {
  const amount: unknown = request.paymentRequested?.money?.amount
  const code: unknown = request.paymentRequested?.money?.currencyCode
  const { account, extra } = request.paymentMethod
  const number: unknown = account?.accountNumber
  return [
    ...(isZero(amount)
      ? [`${placeOf('paymentRequested.money.amount')} is 0, and nothing would be paid.`]
      : []),
    ...(typeof code === 'string' && /^[A-Za-z]{3}$/.test(code) && code !== code.toUpperCase()
      ? [`${placeOf('paymentRequested.money.currencyCode')} must be in capitals, such as EUR.`]
      : []),
    // What the gateway takes in place of an account stands in `extra`.
    ...(extra === undefined && (number === undefined || number === '')
      ? [`${placeOf('paymentMethod.account.accountNumber')} is missing, so the payout would go nowhere.`]
      : []),
  ]
}

function isZero(amount: unknown): boolean {
  return amount === 0 || (typeof amount === 'string' && /^0+(?:\.0+)?$/.test(amount))
}

/** Excel writes what the locale has; which sign is the decimal one, nobody can tell from 1,000. */
const decimalComma = /^-?[\d.]*,\d*$/

/** The client's sentence. That nothing was sent is said of the whole file, once. */
function reasonOf(
  error: InvalidInputError,
  request: PayoutCreateInput,
  placeOf: (field: string) => string,
): string {
  const amount: unknown = request.paymentRequested?.money?.amount
  const hint =
    typeof amount === 'string' && decimalComma.test(amount)
      ? ', with a point and no commas, or give --decimal-comma (decimalComma in code)'
      : ''
  return inPlace(withoutStrangeName(error), error.field, placeOf).replace(
    /[;?] nothing was sent\.$/,
    (end) => (end.startsWith('?') ? '?' : `${hint}.`),
  )
}

function inPlace(sentence: string, field = '', placeOf: (field: string) => string): string {
  return field !== '' && sentence.startsWith(field) ? placeOf(field) + sentence.slice(field.length) : sentence
}

/** In a program it is a programmer's word; in a file an account or a customer may stand where a name should. */
function withoutStrangeName({ message, field = '' }: InvalidInputError): string {
  const isStrange = message.startsWith(`${field} is not a field of a payout that this version knows`)
  return isStrange
    ? `${field.slice(0, field.lastIndexOf('.') + 1)}(not shown)${message.slice(field.length)}`
    : message
}
