import { InvalidInputError } from '../index.js'
import type { CallbackTarget } from './signed-path.js'

/** One payin. */
export interface PayinRef {
  /** Your id of a payin. */
  readonly idPayin: string
  /** Absent. */
  readonly idPayout?: never
}

/** One payout. */
export interface PayoutRef {
  /** Your id of a payout. */
  readonly idPayout: string
  /** Absent. */
  readonly idPayin?: never
}

/** One payment: `{ idPayin }` or `{ idPayout }`. */
export type PaymentRef = PayinRef | PayoutRef

/** @throws {InvalidInputError} unless exactly one id is given, as a text that UTF-8 can hold. */
export function checkTarget(payment: PaymentRef): CallbackTarget {
  if (typeof payment === 'string') {
    throw new InvalidInputError(
      'a text alone is the id of a payin or of a payout: name the payment by { idPayin } or by { idPayout }; nothing was sent.',
    )
  }
  const { idPayin, idPayout }: Partial<PaymentRef> = payment ?? {}
  const [kind, id] = idPayout === undefined ? (['payin', idPayin] as const) : (['payout', idPayout] as const)
  if (typeof id !== 'string' || id === '' || (idPayin !== undefined && idPayout !== undefined)) {
    throw new InvalidInputError(
      'a payment is named by { idPayin } or by { idPayout }, as a text; nothing was sent.',
    )
  }
  // Half a character would come back from the URL as another one, and name another payment.
  if (Buffer.from(id).toString() !== id) {
    throw new InvalidInputError('an id must not hold halves of characters; nothing was sent.')
  }
  return { kind, id }
}

export function keyOf({ kind, id }: CallbackTarget): string {
  return `${kind}:${id}`
}

export function idOf({ kind, id }: CallbackTarget): PaymentRef {
  return kind === 'payin' ? { idPayin: id } : { idPayout: id }
}
