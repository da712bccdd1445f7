import type { PaymentCreateInput } from '../schemas/payment.js'

/** What a payment found under an id shows of the request that was made for it. */
export interface Comparison {
  /** Fields that ask for something else. */
  readonly differences: readonly string[]
  /** Fields of the request that the found payment doesn't show. */
  readonly notCompared: readonly string[]
}

/**
 * Compares everything that a found payment shows of a request: money, method, operator and account.
 * Nothing of it is promised for payins (specification, section 2, gaps). Field names only: the values are a customer's.
 */
export function comparePayment(request: PaymentCreateInput, found: object): Comparison {
  const method = field(request, 'paymentMethod')
  const wantedAccount = field(method, 'account')
  const shown = field(found, 'paymentMethodResponse')
  const account = field(shown, 'account')
  const rows: readonly Row[] = [
    ...moneyRows(moneyOf(request), found),
    [
      'paymentMethod.paymentMethodCode',
      field(method, 'paymentMethodCode'),
      field(shown, 'paymentMethodCode'),
      sameText,
    ],
    [
      'paymentMethod.paymentOperatorCode',
      field(method, 'paymentOperatorCode'),
      // A response's bankCode equals the operator that was chosen (specification, section 2).
      field(shown, 'paymentOperatorCode') ?? field(account, 'bankCode'),
      sameText,
    ],
    [
      'paymentMethod.account.accountNumber',
      field(wantedAccount, 'accountNumber'),
      unmasked(field(account, 'accountNumber')),
      sameAccountNumber,
    ],
    [
      'paymentMethod.account.accountName',
      field(wantedAccount, 'accountName'),
      unmasked(field(account, 'accountName')),
      sameName,
    ],
  ]
  const asked = rows.filter(([, wanted]) => isThere(wanted))
  return {
    differences: differing(asked),
    notCompared: asked.filter(([, , there]) => !isThere(there)).map(([name]) => name),
  }
}

/** The fields in which the money of a payment, as far as it is shown, is not what was asked for. */
export function differingMoney(asked: unknown, found: object): readonly string[] {
  return differing(moneyRows(asked, found))
}

/** The money of a request, or of a payment that was found. */
export function moneyOf(payment: object): unknown {
  return field(field(payment, 'paymentRequested'), 'money')
}

function moneyRows(asked: unknown, found: object): readonly Row[] {
  const shown = moneyOf(found)
  return [
    ['paymentRequested.money.amount', field(asked, 'amount'), field(shown, 'amount'), sameNumber],
    [
      'paymentRequested.money.currencyCode',
      field(asked, 'currencyCode'),
      field(shown, 'currencyCode'),
      sameCode,
    ],
  ]
}

function differing(rows: readonly Row[]): string[] {
  return rows
    .filter(([, wanted, there, same]) => isThere(there) && !same(wanted, there))
    .map(([name]) => name)
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}

type Row = readonly [
  name: string,
  wanted: unknown,
  there: unknown,
  same: (wanted: unknown, there: unknown) => boolean,
]

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

/** A value that is shown with stars or crosses in it can't be compared. */
function unmasked(value: unknown): unknown {
  return typeof value === 'string' && /[*•…]|[Xx#·.]{3}/.test(value) ? undefined : value
}

const sameText = (wanted: unknown, there: unknown) => String(wanted) === String(there)
const sameNumber = (wanted: unknown, there: unknown) => Number(wanted) === Number(there)
const sameCode = (wanted: unknown, there: unknown) =>
  String(wanted).toUpperCase() === String(there).toUpperCase()

/** Banks print account numbers in groups. */
const sameAccountNumber = (wanted: unknown, there: unknown) =>
  String(wanted).replace(/[\s-]/g, '').toUpperCase() === String(there).replace(/[\s-]/g, '').toUpperCase()

/** Banks print names in capitals. */
const sameName = (wanted: unknown, there: unknown) => nameKey(String(wanted)) === nameKey(String(there))

function nameKey(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toUpperCase()
}
