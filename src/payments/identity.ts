import type { Failure } from '../http/failure.js'
import type { Identity } from '../http/request.js'
import type { PaymentCreateInput } from '../schemas/payment.js'
import { idFieldOf, type PaymentKind } from '../schemas/payment-kind.js'
import { comparePayment } from './compare.js'
import type { PaymentReading } from './final.js'

/** Where an answer shows the payment's id, as the specification spells it. */
export function idPathOf(kind: PaymentKind): string {
  return `paymentMethodResponse.${idFieldOf[kind]}`
}

/** Whose payment an answer shows. One about another payment is worse than none. */
export function identify(kind: PaymentKind, answer: unknown, id: string): Identity {
  const there = field(field(answer, 'paymentMethodResponse'), idFieldOf[kind])
  if (there === undefined || there === null) return { shows: 'nothing' }
  if (there === id) return { shows: 'asked' }
  return { shows: 'other', issue: `${idPathOf(kind)}: not the id that was asked for` }
}

/**
 * The same of what a look-up found after a 409. Of a payout the specification promises the id (section 2); of a
 * payin nothing but where it stands (section 4.6), so that one may show no more than a status. An answer that
 * shows less than that could be anybody's, and a 409 that nothing bears out the answer to another request.
 */
export function identifyAfter409(
  kind: PaymentKind,
  found: unknown,
  id: string,
  request: PaymentCreateInput,
  { statusOf }: PaymentReading,
): Identity {
  const identity = identify(kind, found, id)
  if (identity.shows !== 'nothing' || typeof found !== 'object' || found === null) return identity
  const { notCompared } = comparePayment(request, found)
  const showsMoney = !notCompared.some((name) => name.startsWith('paymentRequested.money'))
  return kind === 'payin' && (showsMoney || statusOf(found) !== undefined)
    ? identity
    : { shows: 'other', issue: `${idPathOf(kind)}: not shown, and nothing else ties it to the request` }
}

/** Whether a call failed because its answer was about another payment, or could have been. */
export function isMixedUp(failure: Failure | undefined): boolean {
  return failure?.kind === 'unusable' && failure.shows === 'other'
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, name)?.value
}
