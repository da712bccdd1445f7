import { field, isObject, timeIn } from '../input/values.js'
import { warnOnce } from '../input/warn-once.js'
import type { PaymentLike } from '../payment-like.js'
import type { PaymentStatus } from '../schemas/payment.js'
import { showsTest } from './identify.js'
import { type PaymentReading, readingFor, specified } from './reading.js'

export type { PaymentLike }

interface Standing {
  readonly reading: PaymentReading
  readonly status: string | undefined
  readonly means: 'paid' | 'final' | undefined
}

function standingOf(payment: PaymentLike): Standing {
  const reading = readingFor(payment)
  const texts = reading.statusFields.map((place) => textAt(payment, place))
  const text = texts.find((one) => one !== undefined)
  const means = meaningIn(reading, text)
  return { reading, means, status: means !== undefined || isWord(text) ? text : undefined }
}

function textAt(payment: PaymentLike, place: string): string | undefined {
  const found = field(payment, place)
  return typeof found === 'string' ? found : undefined
}

function meaningIn({ paid, final }: PaymentReading, status = ''): Standing['means'] {
  if (paid.has(status)) return 'paid'
  return final.has(status) ? 'final' : undefined
}

/** A status is a short word, or one that is listed. Any other text there is something else, and may be somebody's. */
function isWord(text = ''): boolean {
  return /^[\p{L}\p{N}_-]{1,64}$/u.test(text)
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
  const standing = standingOf(payment)
  return standing.means !== undefined || isProcessed(payment, standing)
}

/** The gateway's clock may be ahead of this machine's. */
const clocksDifferByMs = 300_000

function isProcessed(payment: PaymentLike, { reading, status }: Standing): boolean {
  const place = reading.processedAtFields.find((one) => timeAt(payment, one) !== undefined) ?? ''
  const processedAt = timeAt(payment, place)
  const createdAt = timeAt(payment, place.replace(/[^.]*$/, 'createdAt'))
  if (processedAt === undefined || processedAt > reading.now() + clocksDifferByMs) return false
  // Some gateways write both times when they accept a payment. It has ended at once only where its status says so.
  if (processedAt === createdAt) return saysThatItFailed(status)
  return createdAt === undefined || processedAt > createdAt
}

function timeAt(payment: PaymentLike, place: string): number | undefined {
  return timeIn(field(payment, place))
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
  return standingOf(payment).status
}

/** Also what stands at the top of a response without `process`. That is never paid or final: an envelope's status looks the same. */
export function shownStatusOf(payment: PaymentLike): PaymentStatus | undefined {
  const { status, reading } = standingOf(payment)
  const isElsewhere = reading.statusFields[0] !== specified.status || field(payment, 'process') !== undefined
  if (status !== undefined || isElsewhere) return status
  const text = textAt(payment, 'status')
  return isWord(text) || meaningIn(reading, text) !== undefined ? text : undefined
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
  const { means, reading } = standingOf(payment)
  if (means !== 'paid') return false
  if (!showsTest(payment, true)) return true
  const live = options.live ?? reading.live
  if (live === undefined) warnOfTestPayment()
  return live !== true
}

function warnOfTestPayment(): void {
  warnOnce(
    'a test payment (process.isTest), by which no money has moved, looks paid. Set the option live of the client (GATEWAY_LIVE): true where real money is taken, false for tests.',
    'MerchantGatewayTestPayment',
    'MERCHANT_GATEWAY_TEST_PAYMENT',
  )
}

/** Says once what would go unnoticed: a test payment that looks paid, and each status that keeps a payment unpaid. */
export function warnOfStatus(payment: PaymentLike): void {
  // It warns of a test payment by itself.
  if (isPaid(payment)) return
  const standing = standingOf(payment)
  const { status, means } = standing
  if (status === undefined || means !== undefined) return
  const why = whyToList(status, payment, standing)
  if (why === undefined) return
  warnOnce(
    `the status ${status} ${why} and is in no list of the option statuses (GATEWAY_STATUSES), so no payment with it is paid. List it under paid if its money has moved, and else under final.`,
    'MerchantGatewayUnlistedStatus',
    'MERCHANT_GATEWAY_UNLISTED_STATUS',
    status,
  )
}

/** Words of gateways that do not say SUCCESS. */
function soundsPaid(status: string): boolean {
  return /^(?:paid|completed?|succe(?:eded|ssful)|settled)$/i.test(status)
}

/** It is listed but for its case; or it ends a payment, and doesn't say that it failed; or it is a word for paid. */
function whyToList(status: string, payment: PaymentLike, standing: Standing): string | undefined {
  const listed = [...standing.reading.paid, ...standing.reading.final]
  const meant = listed.find((one) => one.toLowerCase() === status.toLowerCase())
  if (meant !== undefined) return `is ${meant} but for its case`
  const isOver = !saysThatItFailed(status) && isProcessed(payment, standing)
  if (isOver) return 'ends payments (processedAt)'
  return soundsPaid(status) ? 'sounds paid' : undefined
}
