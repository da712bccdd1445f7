import { field, hasMethod, isObject, timeIn } from '../input/values.js'
import { warnOnce } from '../input/warn-once.js'
import type { PaymentLike } from '../payment-like.js'
import type { PaymentStatus } from '../schemas/payment.js'
import type { PaymentKind } from '../schemas/payment-kind.js'
import { isTest } from './identify.js'
import type { StatusRules } from './status-rules.js'

export type { PaymentLike }

/** How a client reads the payments of one kind that it finds. */
export interface PaymentReading {
  readonly statusFields: readonly string[]
  readonly processedAtFields: readonly string[]
  readonly paid: ReadonlySet<string>
  readonly final: ReadonlySet<string>
  readonly live: boolean | undefined
  readonly now: () => number
}

const specified = { status: 'process.status', processedAt: 'process.processedAt' } as const

export interface ReadingOptions {
  readonly statuses?: StatusRules | undefined
  readonly live?: boolean | undefined
  readonly now: () => number
}

const none: StatusRules = Object.create(null)

/** How they have payments of this kind read. */
export function readingOf(kind: PaymentKind, { statuses = none, live, now }: ReadingOptions): PaymentReading {
  const {
    field: status = specified.status,
    processedAtField = specified.processedAt,
    paid = [],
    final = [],
  } = statuses
  return {
    statusFields: placesOf(kind, status, specified.status),
    processedAtFields: placesOf(kind, processedAtField, specified.processedAt),
    // The one that the specification names (section 3) is paid at every gateway.
    paid: new Set(['SUCCESS', ...paid]),
    final: new Set(final),
    live,
    now,
  }
}

/** Of a payout the specification promises `process` (section 2), wherever a gateway shows the status of its payins. */
function placesOf(kind: PaymentKind, place: string, promised: string): readonly string[] {
  return kind === 'payin' || place === promised ? [place] : [place, promised]
}

const byDefault = readingOf('payin', { now: Date.now })

/** Of payments that a client has found, and of the objects in them: how that client reads them. */
const readings = new WeakMap<object, PaymentReading>()

/** From now on this payment is read so, by whomever, and a copy that was made by spreading it, too. */
export function readBy(reading: PaymentReading, payment: object): void {
  readings.set(payment, reading)
  for (const part of Object.values(payment)) if (isObject(part)) readings.set(part, reading)
}

function readingFor(payment: PaymentLike): PaymentReading {
  if (!isObject(payment)) return byDefault
  if (hasMethod(payment, 'then')) throw new TypeError('this is a promise of a payment: await it first')
  const reading = readings.get(payment)
  if (reading !== undefined) return reading
  for (const part of Object.values(payment)) {
    const shared = isObject(part) ? readings.get(part) : undefined
    if (shared !== undefined) return shared
  }
  return byDefault
}

function textAt(payment: PaymentLike, path: string): string | undefined {
  const found = field(payment, path)
  return typeof found === 'string' ? found : undefined
}

function firstTextAt(payment: PaymentLike, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const text = textAt(payment, path)
    if (text !== undefined) return text
  }
  return undefined
}

function isListed(status: string, { paid, final }: PaymentReading): boolean {
  return paid.has(status) || final.has(status)
}

/** A status is a short word, or one that is listed. Any other text there is something else, and may be somebody's. */
function asStatus(text: string | undefined, reading: PaymentReading): string | undefined {
  if (text === undefined) return undefined
  return isListed(text, reading) || /^[\p{L}\p{N}_-]{1,64}$/u.test(text) ? text : undefined
}

/**
 * Whether a payment will not change any more. The specification names only SUCCESS (section 3), so a payment is final
 * by a status of the option `statuses` (`paid` or `final`, SUCCESS without it), or when it has been processed:
 * `processedAt` is a time after `createdAt` that has come. Any other status is not.
 *
 * A payment that a client has found follows the option `statuses` of that client, as does a copy that was made by
 * spreading it. One that was made from JSON follows the default.
 *
 * @example
 * if (isFinal(payin)) await orders.close(payin)
 */
export function isFinal(payment: PaymentLike): boolean {
  const reading = readingFor(payment)
  const status = asStatus(firstTextAt(payment, reading.statusFields), reading)
  return (status !== undefined && isListed(status, reading)) || isProcessed(payment, status, reading)
}

/** The gateway's clock may be ahead of this machine's. */
const clocksDifferByMs = 300_000

function isProcessed(payment: PaymentLike, status: string | undefined, reading: PaymentReading): boolean {
  for (const place of reading.processedAtFields) {
    const processedAt = timeIn(textAt(payment, place))
    if (processedAt === undefined) continue
    if (processedAt > reading.now() + clocksDifferByMs) return false
    const createdAt =
      timeIn(textAt(payment, place.replace(/[^.]*$/, 'createdAt'))) ?? Number.NEGATIVE_INFINITY
    // Some gateways write both times when they accept a payment. It has ended at once only where its status says so.
    return processedAt > createdAt || (processedAt === createdAt && saysThatItFailed(status))
  }
  return false
}

function saysThatItFailed(status = ''): boolean {
  return /fail|reject|declin|refus|denied|expire|cancel|abort|void|error|return|revers/i.test(status)
}

/**
 * A status that TypeScript doesn't know: equal to none of the words that it does. No status begins with a space, and
 * that keeps a misspelt word from being compared; a brand on a string would not.
 */
export type OtherStatus = ` ${string}`

/**
 * The status of a payment, where it shows one: in `process.status`, or, of a payment that a client has found, where its
 * option `statuses` says. It is a short word of letters, digits, `_` and `-`, or one that `statuses` lists.
 *
 * @example
 * if (statusOf(payin) === 'PENDING') console.log('not yet')
 */
export function statusOf(payment: PaymentLike): PaymentStatus | undefined
/**
 * The same with the words of your gateway beside SUCCESS: a misspelt one doesn't compile. Another status may still
 * come.
 *
 * @example
 * if (statusOf<'PENDING' | 'FAILED'>(payin) === 'PENDNIG') … // doesn't compile
 */
export function statusOf<Word extends string>(
  payment: PaymentLike,
): 'SUCCESS' | Word | OtherStatus | undefined
export function statusOf(payment: PaymentLike): PaymentStatus | undefined {
  const reading = readingFor(payment)
  return asStatus(firstTextAt(payment, reading.statusFields), reading)
}

/**
 * The same; or what stands at the top of a response that has no `process`. Enough to see that a payment is there and has
 * changed, and never that it is paid or final: the status of an envelope looks the same.
 */
export function shownStatusOf(payment: PaymentLike): PaymentStatus | undefined {
  const status = statusOf(payment)
  if (status !== undefined) return status
  const reading = readingFor(payment)
  const isElsewhere = reading.statusFields[0] !== specified.status || field(payment, 'process') !== undefined
  return isElsewhere ? undefined : asStatus(textAt(payment, 'status'), reading)
}

/**
 * Whether a payment has succeeded: its status is SUCCESS, the only one that the specification names (section 3), or
 * one that the option `statuses` of the client that has found it lists as `paid`. A payment that is final and not paid
 * has failed, was refused or has expired; one that is neither may still become either. A test payment
 * (`process.isTest`) moves no money: it is paid for a client with `live: false`, and with `live: true` it is not.
 * Without that option it is, and the process is warned once.
 *
 * @param options Of a payment that no client has found in this process, `live`: whether only real money counts.
 * @example
 * if (isPaid(payin)) await orders.ship(payin)
 */
export function isPaid(
  payment: PaymentLike,
  options: {
    /** Whether a test payment is none; default: the option of the client that has found the payment. */
    readonly live?: boolean | undefined
  } = {},
): boolean {
  if (!isObject(payment)) throw new TypeError('a payment is an object')
  const reading = readingFor(payment)
  const status = asStatus(firstTextAt(payment, reading.statusFields), reading)
  if (status === undefined || !reading.paid.has(status)) return false
  if (!isTest(payment)) return true
  const live = options.live ?? reading.live
  if (live === undefined) warnOfTestPayment()
  return live !== true
}

/** Once in a process: nobody has said whether a test payment that looks paid counts. */
function warnOfTestPayment(): void {
  warnOnce(
    'a test payment (process.isTest), by which no money has moved, looks paid. Set the option live of the client (GATEWAY_LIVE): true where real money is taken, false for tests.',
    'MerchantGatewayTestPayment',
    'MERCHANT_GATEWAY_TEST_PAYMENT',
  )
}

/**
 * Says once for each status what would keep a payment unpaid in silence: one that is listed but for its case, and one
 * that ends a payment, doesn't say that it failed, and is in no list.
 */
export function warnOfUnlisted(payment: PaymentLike): void {
  const reading = readingFor(payment)
  const status = asStatus(firstTextAt(payment, reading.statusFields), reading)
  if (status === undefined || isListed(status, reading)) return
  const lowered = status.toLowerCase()
  const meant = [...reading.paid, ...reading.final].find((one) => one.toLowerCase() === lowered)
  if (meant === undefined && (saysThatItFailed(status) || !isProcessed(payment, status, reading))) return
  const why = meant === undefined ? 'ends payments (processedAt)' : `is ${meant} but for its case`
  warnOnce(
    `the status ${status} ${why} and is in no list of the option statuses (GATEWAY_STATUSES), so no payment with it is paid. List it under paid if its money has moved, and else under final.`,
    'MerchantGatewayUnlistedStatus',
    'MERCHANT_GATEWAY_UNLISTED_STATUS',
    status,
  )
}
