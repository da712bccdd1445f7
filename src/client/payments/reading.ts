import { notAnOptionOf, type Shape, strict } from '../input/check.js'
import { listOf, textLike } from '../input/kinds.js'
import { hasMethod, isObject } from '../input/values.js'
import { optional } from '../input/zod.js'
import type { PaymentLike } from '../payment-like.js'
import type { PaymentKind } from '../schemas/payment.js'

/**
 * What the statuses of your gateway mean, where the specification leaves it open (section 3): `isPaid`, `isFinal` and
 * `statusOf` follow it for every payment that the client finds.
 */
export interface StatusRules {
  /** Where a payment shows its status, with dots for depth. Default `process.status`, where a payout is read in any case. */
  field?: string | undefined
  /** Where it shows when it was processed; `createdAt` is looked for beside it. Default `process.processedAt`. */
  processedAtField?: string | undefined
  /** Statuses of a payment whose money has moved, beside SUCCESS. They are final, too. */
  paid?: readonly string[] | undefined
  /** Statuses of a payment that is over without that. */
  final?: readonly string[] | undefined
}

const place = textLike('a place such as "state" or "process.status"', /^(?=.{1,200}$)[^.\s]+(?:\.[^.\s]+)*$/)

/** Without a blank at an end: no gateway writes one, and no status would be this one. */
const status = /^(?!\s)\P{Cc}{1,64}(?<!\s)$/u

const statuses = listOf('a list of statuses, texts of 1 to 64 characters such as ["COMPLETED"]', (expected) =>
  textLike(expected, status),
)

export const statusRules = strict(
  {
    field: optional(place),
    processedAtField: optional(place),
    paid: optional(statuses),
    final: optional(statuses),
  } satisfies Shape<StatusRules>,
  notAnOptionOf('statuses'),
  'must be an object such as {"paid":["COMPLETED"],"final":["FAILED"]}',
)

export interface PaymentReading {
  readonly statusFields: readonly string[]
  readonly processedAtFields: readonly string[]
  readonly paid: ReadonlySet<string>
  readonly final: ReadonlySet<string>
  readonly live: boolean | undefined
  readonly now: () => number
}

/** Where the specification shows them (section 2). */
export const specified = { status: 'process.status', processedAt: 'process.processedAt' } as const

export interface ReadingOptions {
  readonly statuses?: StatusRules | undefined
  readonly live?: boolean | undefined
  readonly now: () => number
}

export function readingOf(kind: PaymentKind, { statuses = {}, live, now }: ReadingOptions): PaymentReading {
  const { field, processedAtField, paid = [], final = [] } = statuses
  return {
    statusFields: placesOf(kind, field, specified.status),
    processedAtFields: placesOf(kind, processedAtField, specified.processedAt),
    // The one that the specification names (section 3) is paid at every gateway.
    paid: new Set(['SUCCESS', ...paid]),
    final: new Set(final),
    live,
    now,
  }
}

/** Of a payout the specification promises `process` (section 2), wherever a gateway shows the status of its payins. */
function placesOf(kind: PaymentKind, place: string | undefined, promised: string): readonly string[] {
  if (place === undefined || place === promised) return [promised]
  return kind === 'payin' ? [place] : [place, promised]
}

const byDefault = readingOf('payin', { now: Date.now })

/** Of payments that a client has found, and of the objects in them: how that client reads them. */
const readings = new WeakMap<object, PaymentReading>()

/** From now on this payment is read so, by whomever, and a copy that was made by spreading it, too. */
export function readBy(reading: PaymentReading, payment: object): void {
  readings.set(payment, reading)
  for (const part of Object.values(payment)) if (isObject(part)) readings.set(part, reading)
}

export function readingFor(payment: PaymentLike): PaymentReading {
  if (!isObject(payment)) return byDefault
  if (hasMethod(payment, 'then')) throw new TypeError('this is a promise of a payment: await it first')
  for (const one of [payment, ...Object.values(payment)]) {
    const reading = isObject(one) ? readings.get(one) : undefined
    if (reading !== undefined) return reading
  }
  return byDefault
}

/** Of payments that a client has looked up: the id by which it asked. A response stays as it came. */
const ids = new WeakMap<object, string>()

export function rememberId(payment: object, id: string): void {
  ids.set(payment, id)
}

/**
 * Your id of a payment that a client has looked up (`retrieve`, `waitFor`, `watch`, a callback): the one by which it
 * was asked for, since the specification promises none in the response (section 2, gaps). Undefined for an object that
 * no client has looked up, such as a copy.
 *
 * @example
 * const payin = await client.payins.waitFor(order.idPayin, { maxWaitMs: 60_000 })
 * await orders.markPaid(idOf(payin))
 */
export function idOf(payment: PaymentLike): string | undefined {
  return ids.get(payment)
}
