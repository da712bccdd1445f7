import { nearest } from '../input/check.js'
import { Refusal } from '../wire/response.js'
import { type Balances, PAYOUT_FEE } from './balances.js'
import type { PaymentKind } from './payment.js'
import type { PaymentRequest } from './payment-request.js'

export interface Listed {
  readonly payinMethods: readonly string[]
  readonly operators: readonly string[]
  /** Codes that are taken and not listed: those of magic values. */
  readonly hiddenOperators: readonly string[]
  readonly balances: Pick<Balances, 'currencies' | 'amountOf'>
}

/** Which mistakes are refused, and which only noted: those that the specification's words rule out are refused. */
export type Mistakes = 'by-specification' | 'refuse' | 'note'

interface Mistake {
  readonly refusal: Refusal
  /** Whether words of the specification rule it out. */
  readonly isRuledOut: boolean
}

const PAYOUT_METHOD = 'BANK_TRANSFER'
const MOST_NAMED = 10

/** @throws with 400 for the first mistake that is refused; returns a sentence for each other one ({@link Refusal}). */
export function notesOf(
  kind: PaymentKind,
  request: PaymentRequest,
  listed: Listed,
  mistakes: Mistakes,
): readonly string[] {
  const found = [...unlisted(kind, request, listed), ...(kind === 'payout' ? ofPayout(request, listed) : [])]
  const refused = found.find(
    ({ isRuledOut }) => mistakes === 'refuse' || (mistakes === 'by-specification' && isRuledOut),
  )
  if (refused !== undefined) throw refused.refusal
  return found.map(({ refusal }) => refusal.message)
}

/** Section 2: an operator is "one of the operator codes from the options list". Section 4: a code list of currencies. */
function unlisted(
  kind: PaymentKind,
  { money, paymentMethodCode, paymentOperatorCode: operator }: PaymentRequest,
  { payinMethods, operators, hiddenOperators, balances: { currencies } }: Listed,
): Mistake[] {
  const found: Refusal[] = []
  if (kind === 'payin' && !payinMethods.includes(paymentMethodCode)) {
    const why = whyNot('paymentMethod.paymentMethodCode', paymentMethodCode, payinMethods)
    found.push(new Refusal(400, 'UNKNOWN_METHOD', why))
  }
  if (operator !== undefined && !operators.includes(operator) && !hiddenOperators.includes(operator)) {
    const why = whyNot('paymentMethod.paymentOperatorCode', operator, operators)
    found.push(new Refusal(400, 'UNKNOWN_OPERATOR', why))
  }
  if (!currencies.includes(money.currencyCode)) {
    const why = whyNot('paymentRequested.money.currencyCode', money.currencyCode, currencies)
    found.push(new Refusal(400, 'UNKNOWN_CURRENCY', why))
  }
  return found.map((refusal) => ({ refusal, isRuledOut: true }))
}

/** Nothing is said of other methods of payouts, nor of a payout that the balance doesn't cover (sections 2 and 8). */
function ofPayout({ money, paymentMethodCode }: PaymentRequest, { balances }: Listed): Mistake[] {
  const found: Refusal[] = []
  if (paymentMethodCode !== PAYOUT_METHOD) {
    const why = `paymentMethod.paymentMethodCode is not ${PAYOUT_METHOD}, the only method of payouts that the specification names: a gateway may refuse it.`
    found.push(new Refusal(400, 'UNKNOWN_METHOD', why))
  }
  if (money.amount + PAYOUT_FEE > balances.amountOf(money.currencyCode)) {
    const why = `The payout and its fee are more than the balance in ${money.currencyCode}. The specification doesn't say what a gateway does then: it may refuse the payout, or let it fail.`
    found.push(new Refusal(400, 'BALANCE_TOO_LOW', why))
  }
  return found.map((refusal) => ({ refusal, isRuledOut: false }))
}

/** The value itself may be anything, a customer's account number in the wrong field too, and is not shown. */
function whyNot(field: string, value: string, list: readonly string[]): string {
  const meant = nearest(value, list)
  const more = list.length > MOST_NAMED ? `, and ${list.length - MOST_NAMED} more` : ''
  const known = `${list.slice(0, MOST_NAMED).join(', ')}${more}`
  return `${field} is not in the gateway's list: ${known}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
}
