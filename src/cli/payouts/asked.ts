import { createHmac } from 'node:crypto'
import type { PaymentMethodInput } from '../../index.js'
import { isObject } from '../../input/own.js'
import type { SendableLine } from '../../payout-files/payout-file.js'
import { amountText } from '../../payout-files/totals.js'
import type { Asked } from './results.js'

/** What a line asks for, in the form that is kept. */
export function askedOf(line: number, request: SendableLine['request'], salt: string): Asked {
  const { amount, currencyCode } = request.paymentRequested.money
  return {
    line,
    amount: amountText(amount),
    currencyCode,
    method: fingerprintOfMethod(request.paymentMethod, salt),
  }
}

/** A miss in 16 million, and too little to find an account by: about one in as many fits. */
const hexDigits = 6

/**
 * Where a payout goes, in a form that tells a change and not the account. The results file keeps it, since
 * the gateway never shows the account of a payout, so that nobody else can tell that a line was changed.
 */
function fingerprintOfMethod(method: PaymentMethodInput, salt: string): string {
  return createHmac('sha256', salt).update(inOrder(method)).digest('hex').slice(0, hexDigits)
}

/** JSON in which the order of the fields makes no difference. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, inside: unknown) =>
    isObject(inside)
      ? Object.fromEntries(Object.entries(inside).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inside,
  )
}
