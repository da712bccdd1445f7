import type { Failure } from '../http/failure.js'
import type { Identity } from '../http/request.js'
import { isObject } from '../input/own.js'
import type { PaymentCreateInput } from '../schemas/payment.js'
import { idFieldOf, type PaymentKind } from '../schemas/payment-kind.js'
import { field, holdsId, isThere, levelsOf } from './answer-fields.js'
import { comparePayment } from './compare.js'
import type { PaymentReading } from './final.js'

/** Where an answer shows the payment's id, as the specification spells it. */
export function idPathOf(kind: PaymentKind): string {
  return `paymentMethodResponse.${idFieldOf[kind]}`
}

/** Whose payment an answer shows. One about another payment is worse than none. */
export function identify(kind: PaymentKind, answer: unknown, id: string): Identity {
  const there = field(field(answer, 'paymentMethodResponse'), idFieldOf[kind])
  if (there === id) return { shows: 'asked' }
  if (isThere(there) || namesAnother(kind, answer, id)) {
    return { shows: 'other', issue: `${idPathOf(kind)}: not the id that was asked for` }
  }
  return { shows: 'nothing' }
}

/** Whether an answer without an id in its place has one elsewhere under the same name, or one of the other kind. */
function namesAnother(kind: PaymentKind, answer: unknown, id: string): boolean {
  const otherKind = idFieldOf[kind === 'payin' ? 'payout' : 'payin']
  const places = levelsOf(answer).flatMap((level) => [level, field(level, 'paymentMethodResponse')])
  return places.some((place) => {
    const there = field(place, idFieldOf[kind])
    const otherId = isThere(there) ? there : field(place, otherKind)
    return isThere(otherId) && String(otherId) !== id
  })
}

/**
 * The same of what a look-up found after a 409. Of a payout the specification promises the id (section 2), so one
 * without it could be anybody's. Of a payin it promises nothing: {@link isTied} looks at that one.
 */
export function identifyAfter409(kind: PaymentKind, found: unknown, id: string): Identity {
  const identity = identify(kind, found, id)
  if (identity.shows !== 'nothing' || (kind === 'payin' && isObject(found))) return identity
  return { shows: 'other', issue: `${idPathOf(kind)}: not shown, and nothing else ties it to the request` }
}

/**
 * Whether what a look-up found after a 409 bears it out: by the id, the money or a status (section 4.6). One that
 * shows none of them says nothing, and the 409 may have been the answer to another request.
 */
export function isTied(
  found: object,
  id: string,
  request: PaymentCreateInput,
  { shownStatusOf }: PaymentReading,
): boolean {
  const { notCompared } = comparePayment(request, found)
  const showsMoney = !notCompared.some((name) => name.startsWith('paymentRequested.money'))
  return showsMoney || shownStatusOf(found) !== undefined || holdsId(found, id)
}

/** Whether a call failed because its answer was about another payment, or could have been. */
export function isMixedUp(failure: Failure | undefined): boolean {
  return failure?.kind === 'unusable' && failure.shows === 'other'
}
