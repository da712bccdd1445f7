import { type Decimal, decimalOf, isMore, minus, plus } from '../input/decimal.js'
import { field } from '../input/values.js'
import { decimalsOf } from '../schemas/money.js'
import type { PaymentCreateInput } from '../schemas/payment.js'
import { holdsId, shownMoney } from './identify.js'
import { shownStatusOf } from './status.js'

export interface Comparison {
  readonly differences: readonly Difference[]
  readonly notCompared: readonly string[]
}

/** Compares all that a found payment shows of a request. Nothing of it is promised for payins (specification, section 2, gaps). */
export function comparePayment(request: PaymentCreateInput, found: object): Comparison {
  const rows = rowsOf(request, found)
  const other = rows.filter(({ is }) => is === 'other')
  // A name that differs is worth a word beside what decides, and is nothing by itself.
  const differing = other.length === 0 ? [] : rows.filter(({ is }) => is === 'other' || is === 'rewritten')
  return {
    differences: differing.map(inWords),
    notCompared: rows.filter((row) => row.is !== 'same' && !differing.includes(row)).map(({ name }) => name),
  }
}

/** A field that asks for something else, and the same for a message: with both values where they are no customer's. */
export interface Difference {
  readonly field: string
  readonly inWords: string
}

export function differingMoney(money: unknown, found: object): readonly Difference[] {
  return moneyRows(money, found)
    .filter(({ is }) => is === 'other')
    .map(inWords)
}

function inWords({ name, wanted, there }: Row): Difference {
  const areCodes = [wanted, there].every(isCode) && !name.includes('.account.')
  const values = areCodes ? ` (${wanted} was asked for, ${there} is shown)` : ''
  return { field: name, inWords: name + values }
}

type Verdict =
  | 'same'
  | 'other'
  /** One of the two is absent, or in a form that proves nothing. */
  | 'unknown'
  /** They differ in what banks and gateways rewrite as a matter of course. */
  | 'rewritten'

interface Row {
  readonly name: string
  readonly wanted: unknown
  readonly there: unknown
  readonly is: Verdict
}

type Compare = (wanted: unknown, there: unknown) => Verdict

function row(name: string, wanted: unknown, there: unknown, compare: Compare): Row {
  return { name, wanted, there, is: there === undefined ? 'unknown' : compare(wanted, there) }
}

const comparisons: readonly (readonly [name: string, places: readonly string[], compare: Compare])[] = [
  ['paymentMethod.paymentMethodCode', ['paymentMethodResponse.paymentMethodCode'], codes],
  [
    'paymentMethod.paymentOperatorCode',
    // A response's bankCode equals the operator that was chosen (specification, section 2).
    ['paymentMethodResponse.paymentOperatorCode', 'paymentMethodResponse.account.bankCode'],
    codes,
  ],
  ['paymentMethod.account.accountNumber', ['paymentMethodResponse.account.accountNumber'], accountNumbers],
  ['paymentMethod.account.accountName', ['paymentMethodResponse.account.accountName'], names],
]

function rowsOf(request: PaymentCreateInput, found: object): readonly Row[] {
  const rows = comparisons.map(([name, places, compare]) => {
    const there = places.map((place) => field(found, place)).find((value) => value !== undefined)
    return row(name, field(request, name), there, compare)
  })
  const money = moneyRows(field(request, 'paymentRequested.money'), found)
  return [...money, ...rows].filter(({ wanted }) => wanted !== undefined)
}

function moneyRows(money: unknown, found: object): readonly Row[] {
  const shown = shownMoney(found)
  const currency = field(money, 'currencyCode')
  const [amount, shownAmount] = [field(money, 'amount'), field(shown, 'amount')]
  return [
    row('paymentRequested.money.amount', amount, shownAmount, amountsOf(currency)),
    row('paymentRequested.money.currencyCode', currency, field(shown, 'currencyCode'), currencies),
  ]
}

function isCode(value: unknown): boolean {
  return /^(?:\d{1,15}(?:\.\d{1,15})?|[A-Za-z]{3}|[A-Z][A-Z\d_.-]{0,39})$/.test(String(value))
}

/** Amounts are the same where they differ by no more than half of the currency's smallest unit: sums of binary numbers do. */
function amountsOf(currency: unknown): Compare {
  return (wantedAmount, shownAmount) => {
    const wanted = decimalOf(wantedAmount)
    const there = decimalOf(shownAmount)
    // A payment of less than nothing: a gateway that shows what goes out with a minus.
    if (wanted === undefined || there === undefined || there.units < 0n) return 'unknown'
    const known = typeof currency === 'string' ? decimalsOf(currency) : undefined
    const smallest: Decimal = { units: 1n, decimals: known ?? Math.max(2, wanted.decimals) }
    const [less, more] = isMore(wanted, there) ? [there, wanted] : [wanted, there]
    const apart = minus(more, less)
    return isMore(plus(apart, apart), smallest) ? 'other' : 'same'
  }
}

/** A symbol or a number of ISO 4217 is no code of three letters, and proves nothing. */
function currencies(wanted: unknown, there: unknown): Verdict {
  const isLetters = typeof there === 'string' && /^\s*[A-Za-z]{3}\s*$/.test(there)
  return isLetters ? codes(wanted, there) : 'unknown'
}

/** Some gateways show what a code is called, and the BIC of a bank for its number. */
function codes(wanted: unknown, there: unknown): Verdict {
  const [one, other] = [written(wanted), written(there)]
  if (one === undefined || other === undefined) return 'unknown'
  if (joined(one) === joined(other)) return 'same'
  const isLabel = /^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)+$/u.test(other) && !one.includes(' ')
  return isLabel || /^\d+$/.test(one) !== /^\d+$/.test(other) ? 'unknown' : 'other'
}

function joined(code: string): string {
  return code.replace(/[\s_-]+/g, '_')
}

/** Banks print numbers in groups, without zeros, with their code, or as an IBAN. Two of one form with nothing in common differ. */
function accountNumbers(wanted: unknown, there: unknown): Verdict {
  const [one, other] = [unmasked(wanted), unmasked(there)]
  if (one === undefined || other === undefined) return 'unknown'
  if (compact(one) === compact(other)) return 'same'
  const [ones, others] = [withoutZeros(one), withoutZeros(other)]
  if (ones === others) return 'same'
  const isOtherForm = /\p{L}/u.test(ones) !== /\p{L}/u.test(others)
  return isOtherForm || ones.includes(others) || others.includes(ones) ? 'unknown' : 'other'
}

/** Banks print names in capitals, without accents, cut off or in another order. */
function names(wanted: unknown, there: unknown): Verdict {
  const [one, other] = [unmasked(wanted), unmasked(there)]
  if (one === undefined || other === undefined) return 'unknown'
  return plain(one) === plain(other) ? 'same' : 'rewritten'
}

function written(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).normalize('NFKC').trim().toUpperCase()
  return text === '' ? undefined : text
}

/** A value that is shown with stars or crosses in it can't be compared. */
function unmasked(value: unknown): string | undefined {
  const text = written(value)
  return text === undefined || /[*\u2022\u25cf\u2026]|[X#\u00b7._?]{3}/.test(text) ? undefined : text
}

function compact(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '')
}

function withoutZeros(text: string): string {
  return text
    .split(/[^\p{L}\p{N}]+/u)
    .map((group) => group.replace(/^0+/, ''))
    .join('')
}

function plain(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Whether a found payment bears a 409 out, by its id, money or status (section 4.6). Else the 409 may have been another's. */
export function isTied(found: object, id: string, request: PaymentCreateInput): boolean {
  const { notCompared } = comparePayment(request, found)
  const showsMoney = !notCompared.some((name) => name.startsWith('paymentRequested.money'))
  return showsMoney || shownStatusOf(found) !== undefined || holdsId(found, id)
}
