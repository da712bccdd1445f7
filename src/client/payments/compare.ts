import type { PaymentCreateInput } from '../schemas/payment.js'
import { field, holdsId, shownMoney } from './answer.js'
import { shownStatusOf } from './status.js'

/** What a payment found under an id shows of the request that was made for it. */
export interface Comparison {
  /** Fields that ask for something else. */
  readonly differences: readonly Difference[]
  /** Fields of the request that the found payment doesn't show. */
  readonly notCompared: readonly string[]
}

/**
 * Compares everything that a found payment shows of a request: money, method, operator and account.
 * Nothing of it is promised for payins (specification, section 2, gaps).
 */
export function comparePayment(request: PaymentCreateInput, found: object): Comparison {
  const rows = rowsOf(request, found)
  return {
    differences: rows.filter(differs).map(inWords),
    notCompared: rows.filter(([, , there]) => there === undefined).map(([name]) => name),
  }
}

/** A field that asks for something else, and the same for a message: with both values where they are no customer's. */
export interface Difference {
  readonly field: string
  readonly inWords: string
}

/** What its money alone differs in. @param requested the field `paymentRequested` of the request. */
export function differingMoney(requested: unknown, found: object): readonly Difference[] {
  return moneyRows(requested, found).filter(differs).map(inWords)
}

function inWords([name, wanted, there]: Row): Difference {
  const areCodes = [wanted, there].every(isCode) && !name.includes('.account.')
  const values = areCodes ? ` (${wanted} was asked for, ${there} is shown)` : ''
  return { field: name, inWords: name + values }
}

/** What was asked for, beside what is shown of it. */
function rowsOf(request: PaymentCreateInput, found: object): readonly Row[] {
  const method = field(request, 'paymentMethod')
  const wantedAccount = field(method, 'account')
  const shown = field(found, 'paymentMethodResponse')
  const account = field(shown, 'account')
  const rows: readonly Row[] = [
    ...moneyRows(field(request, 'paymentRequested'), found),
    [
      'paymentMethod.paymentMethodCode',
      field(method, 'paymentMethodCode'),
      field(shown, 'paymentMethodCode'),
      String,
    ],
    [
      'paymentMethod.paymentOperatorCode',
      field(method, 'paymentOperatorCode'),
      // A response's bankCode equals the operator that was chosen (specification, section 2).
      field(shown, 'paymentOperatorCode') ?? field(account, 'bankCode'),
      String,
    ],
    [
      'paymentMethod.account.accountNumber',
      field(wantedAccount, 'accountNumber'),
      unmasked(field(account, 'accountNumber')),
      accountNumber,
    ],
    [
      'paymentMethod.account.accountName',
      field(wantedAccount, 'accountName'),
      unmasked(field(account, 'accountName')),
      accountName,
    ],
  ]
  return rows.filter(([, wanted]) => wanted !== undefined)
}

function moneyRows(requested: unknown, found: object): readonly Row[] {
  const wanted = field(requested, 'money')
  const shown = shownMoney(found)
  return [
    ['paymentRequested.money.amount', field(wanted, 'amount'), field(shown, 'amount'), Number],
    [
      'paymentRequested.money.currencyCode',
      field(wanted, 'currencyCode'),
      field(shown, 'currencyCode'),
      inCapitals,
    ],
  ]
}

function differs([, wanted, there, compared]: Row): boolean {
  return wanted !== undefined && there !== undefined && compared(wanted) !== compared(there)
}

/** A number, or the code of a currency, a method or an operator. Whatever else may be there is not for messages. */
function isCode(value: unknown): boolean {
  return /^(?:\d{1,15}(?:\.\d{1,15})?|[A-Za-z]{3}|[A-Z][A-Z\d_.-]{0,39})$/.test(String(value))
}

type Row = readonly [
  name: string,
  wanted: unknown,
  there: unknown,
  /** What of the two has to be the same. */
  compared: (value: unknown) => string | number,
]

/** A value that is shown with stars or crosses in it can't be compared. */
function unmasked(value: unknown): unknown {
  return typeof value === 'string' && /[*•…]|[Xx#·.]{3}/.test(value) ? undefined : value
}

const inCapitals = (value: unknown) => String(value).toUpperCase()

/** Banks print account numbers in groups. */
const accountNumber = (value: unknown) => inCapitals(value).replace(/[\s-]/g, '')

/** Banks print names in capitals. */
const accountName = (value: unknown) =>
  inCapitals(String(value).normalize('NFKC').trim().replace(/\s+/g, ' '))

/**
 * Whether what a look-up found after a 409 bears it out: by the id, the money or a status (section 4.6). One that
 * shows none of them says nothing, and the 409 may have been the answer to another request.
 */
export function isTied(found: object, id: string, request: PaymentCreateInput): boolean {
  const { notCompared } = comparePayment(request, found)
  const showsMoney = !notCompared.some((name) => name.startsWith('paymentRequested.money'))
  return showsMoney || shownStatusOf(found) !== undefined || holdsId(found, id)
}
