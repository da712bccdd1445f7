import { checkPayout, InvalidInputError, type PayoutCreateInput } from 'merchant-gateway'
import { isObject } from '../input/values.js'
import type { Candidate } from './candidates.js'
import { damageIn, isWrongIban } from './damage.js'
import { fields } from './fields.js'
import { WrongLine } from './lines.js'

type PlaceOf = Candidate['placeOf']

/** @throws with what the client would say before it is sent, and what is certainly a mistake in a file ({@link WrongLine}). */
export function checkLine({ request, placeOf }: Candidate, checkIbans: boolean): PayoutCreateInput {
  if (!isPayout(request))
    throw new WrongLine(`${placeOf(codeField)} is missing; it has to be a text such as "BANK_TRANSFER".`)
  const damaged = damagedFields(request, placeOf, checkIbans)
  // What the client says of a field that is damaged says less.
  const reasons =
    damaged.length > 0
      ? damaged
      : [...reasonsOfClient(request, placeOf), ...certainMistakes(request, placeOf)]
  if (reasons.length === 0) return request
  throw new WrongLine(reasons.join(' '))
}

/** The client leaves it to the gateway to refuse a payout to nowhere; in a file it is a mistake. */
function isPayout(request: unknown): request is PayoutCreateInput {
  return typeof valueAt(request, codeField) === 'string'
}

/** What spreadsheets and exports have done to the fields of a request: the whole file has to be written anew. */
function damagedFields(request: PayoutCreateInput, placeOf: PlaceOf, checkIbans: boolean): string[] {
  return fields.flatMap(({ path, kind }) => {
    const value = valueAt(request, path)
    if (typeof value !== 'string') return []
    const damage = damageIn(value, kind)
    if (damage !== undefined) {
      const form =
        kind === 'amount' ? 'and the amounts in digits and a point alone' : 'with this column as text'
      return [`${placeOf(path)} ${damage}; export the file again, ${form}.`]
    }
    if (kind !== 'account' || !checkIbans || !isWrongIban(value)) return []
    return [
      `${placeOf(path)} has the form of an IBAN and wrong check digits; correct it, or give --no-check-ibans (checkIbans: false in code) if it is no IBAN.`,
    ]
  })
}

/** What no gateway can mean, and the client lets through because a gateway might. */
function certainMistakes(request: PayoutCreateInput, placeOf: PlaceOf): string[] {
  const [amount, code, number] = [amountField, currencyField, accountField].map((path) =>
    valueAt(request, path),
  )
  const reasons: string[] = []
  if (amount === 0 || (typeof amount === 'string' && /^0+(?:\.0+)?$/.test(amount)))
    reasons.push(`${placeOf(amountField)} is 0, and nothing would be paid.`)
  if (typeof code === 'string' && /^[A-Za-z]{3}$/.test(code) && code !== code.toUpperCase())
    reasons.push(`${placeOf(currencyField)} must be in capitals, such as EUR.`)
  // What the gateway takes in place of an account stands in `extra`.
  if (request.paymentMethod.extra === undefined && (number === undefined || number === ''))
    reasons.push(`${placeOf(accountField)} is missing, so the payout would go nowhere.`)
  return reasons
}

const amountField = 'paymentRequested.money.amount'
const currencyField = 'paymentRequested.money.currencyCode'
const codeField = 'paymentMethod.paymentMethodCode'
const accountField = 'paymentMethod.account.accountNumber'

function valueAt(request: unknown, path: string): unknown {
  if (!isObject(request)) return undefined
  const point = path.indexOf('.')
  return point < 0 ? request[path] : valueAt(request[path.slice(0, point)], path.slice(point + 1))
}

/** The client's sentence. That nothing was sent is said of the whole file, once. */
function reasonsOfClient(request: PayoutCreateInput, placeOf: PlaceOf): string[] {
  try {
    checkPayout(request)
    return []
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    const { field = '' } = error
    const sentence = withoutStrangeName(error)
    const placed =
      field !== '' && sentence.startsWith(field) ? placeOf(field) + sentence.slice(field.length) : sentence
    const hint = field === amountField ? hintFor(valueAt(request, amountField)) : ''
    return [placed.replace(/([;?]) nothing was sent\.$/, (_, mark) => (mark === '?' ? '?' : `${hint}.`))]
  }
}

/** Excel writes what the locale has; which sign is the decimal one, nobody can tell from 1,000. */
function hintFor(amount: unknown): string {
  if (typeof amount !== 'string' || /^[\d.]*$/.test(amount)) return ''
  return /^-?[\d.]*,\d*$/.test(amount)
    ? ', with a point and no commas, or give --decimal-comma (decimalComma in code)'
    : ', in digits and a point alone: no thousands, no currency and no other sign'
}

/** In a program it is a programmer's word; in a file an account or a customer may stand where a name should. */
function withoutStrangeName({ message, field = '' }: InvalidInputError): string {
  const isStrange = message.startsWith(`${field} is not a field of a payout that this version knows`)
  return isStrange
    ? `${field.slice(0, field.lastIndexOf('.') + 1)}(not shown)${message.slice(field.length)}`
    : message
}
