import { ConfigurationError } from '../errors.js'
import { timeIn } from '../input/time-in.js'
import { warnOnce } from '../input/warn-once.js'
import { yesOrNo } from '../input/yes-or-no.js'
import type { PaymentLike } from '../payment-like.js'
import type { PaymentProfile } from '../profile/gateway-profile.js'
import type { PaymentStatus } from '../schemas/payment.js'
import { field, isTest } from './answer.js'

export type { PaymentLike }

/** What your own `statusOf` and `isFinal` get: a payment with whatever fields the gateway gave it. */
export type AnyPayment = PaymentLike & {
  /** Whatever the gateway sends. */
  readonly [field: string]: unknown
}

/** Of payments that a client with a profile has looked up: what their gateway shows of them, and where. */
const profiles = new WeakMap<object, PaymentProfile>()
/** Of payments that a client with the option `live` has looked up: what it is. */
const lives = new WeakMap<object, boolean>()

/** From now on this payment is read by a profile, and by the option `live`, by whomever. */
export function readBy(profile: PaymentProfile | undefined, payment: unknown, live?: boolean): void {
  if (typeof payment !== 'object' || payment === null) return
  if (profile !== undefined) profiles.set(payment, profile)
  if (live !== undefined) lives.set(payment, live)
}

/** A text at a path of names with dots between them. */
function textAt(payment: PaymentLike, path: string): string | undefined {
  let found: unknown = payment
  for (const name of path.split('.')) found = field(found, name)
  return typeof found === 'string' ? found : undefined
}

/** A status is a short word. Any other text there is something else, and may be somebody's. */
function asStatus(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\p{L}\p{N}_-]{1,64}$/u.test(value) ? value : undefined
}

/**
 * Whether a payment will not change any more. The specification names only SUCCESS (section 3), so a
 * payment is final when its status is that, or when it has been processed: `processedAt` is a time, and not before
 * `createdAt`. An unknown status is not. A payment that a client with a `profile` has looked up is read by that:
 * what it calls final is.
 *
 * @example
 * if (isFinal(payin)) await orders.close(payin)
 */
export function isFinal(payment: PaymentLike): boolean {
  const status = statusOf(payment) ?? ''
  const { statuses = {}, processedAtField = 'process.processedAt' } = profiles.get(payment) ?? {}
  const known = Object.hasOwn(statuses, status) ? statuses[status] : 'unclear'
  return (
    status === 'SUCCESS' ||
    known === 'final' ||
    (known === 'unclear' && isProcessed(payment, processedAtField))
  )
}

function isProcessed(payment: PaymentLike, processedAtField: string): boolean {
  const processedAt = timeIn(textAt(payment, processedAtField))
  if (processedAt === undefined) return false
  const createdAtField = processedAtField.replace(/[^.]*$/, 'createdAt')
  return processedAt >= (timeIn(textAt(payment, createdAtField)) ?? Number.NEGATIVE_INFINITY)
}

/**
 * A status that TypeScript doesn't know: equal to none of the words that it does. No status begins with a space, and
 * that keeps a misspelt word from being compared; a brand on a string would not.
 */
export type OtherStatus = ` ${string}`

/**
 * The status of a payment, where it shows one in `process.status`; of one that a client with a `profile` has looked
 * up, where that says. It is a short word of letters, digits, `_` and `-`.
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
  return asStatus(textAt(payment, statusFieldOf(payment)))
}

function statusFieldOf(payment: PaymentLike): string {
  return profiles.get(payment)?.statusField ?? 'process.status'
}

/**
 * A status at the top of an answer that has no `process`. Enough to see that a payment is there and has changed, and
 * never that it is paid or final: the status of an envelope looks the same.
 */
function statusAtTop(payment: PaymentLike): string | undefined {
  if (statusFieldOf(payment) !== 'process.status' || field(payment, 'process') !== undefined) return undefined
  return asStatus(field(payment, 'status'))
}

/**
 * Whether a payment has succeeded: its status is SUCCESS, the only one that the specification names (section 3).
 * A payment that is final and not paid has failed, was refused or has expired; one that is neither may
 * still become either. A test payment (`process.isTest`) moves no money: it is paid for a client with `live: false`,
 * and with `live: true` it is not. Without that option it is, and the process is warned once.
 *
 * @param options Where your gateway's status stands elsewhere: `statusOf`, as for the client. Of a payment that no
 * client has looked up in this process, `live`: whether only real money counts.
 * @example
 * if (isPaid(payin)) await orders.ship(payin)
 */
export function isPaid(
  payment: PaymentLike,
  options: {
    /** Reads the status; default: `statusOf`. */
    readonly statusOf?: ((payment: AnyPayment) => string | undefined) | undefined
    /** Whether a test payment is none; default: the option of the client that has looked the payment up. */
    readonly live?: boolean | undefined
  } = {},
): boolean {
  if ((options.statusOf ?? statusOf)(asAny(payment)) !== 'SUCCESS') return false
  if (!isTest(payment)) return true
  const live = options.live ?? lives.get(payment)
  if (live === undefined) warnOfTestPayment()
  return live !== true
}

/** Once in a process: nobody has said whether a test payment that looks paid counts. */
export function warnOfTestPayment(): void {
  warnOnce(
    'a test payment (process.isTest), by which no money has moved, looks paid. Set the option live of the client (GATEWAY_LIVE): true where real money is taken, false for tests.',
    'MerchantGatewayTestPayment',
    'MERCHANT_GATEWAY_TEST_PAYMENT',
  )
}

/** How a client reads payments: its options, or the defaults. */
export interface PaymentReading {
  readonly statusOf: (payment: PaymentLike) => PaymentStatus | undefined
  /** The same; or what stands at the top of an answer without `process`, for what needs no more than a change. */
  readonly shownStatusOf: (payment: PaymentLike) => PaymentStatus | undefined
  readonly isFinal: (payment: PaymentLike) => boolean
}

/** The options `statusOf` and `isFinal`. By the default `isFinal`, a SUCCESS that `statusOf` reads is final too. */
export function paymentReading(options: {
  readonly statusOf?: ((payment: AnyPayment) => string | undefined) | undefined
  readonly isFinal?: ((payment: AnyPayment) => boolean) | undefined
}): PaymentReading {
  const { isFinal: decide = isFinal, statusOf: readStatus = statusOf } = options
  const read = (payment: PaymentLike) => asStatus(readStatus(asAny(payment)))
  return {
    statusOf: read,
    shownStatusOf: (payment) => read(payment) ?? (readStatus === statusOf ? statusAtTop(payment) : undefined),
    isFinal: (payment) =>
      yesOrNo(decide(asAny(payment)), notAtOnce) || (decide === isFinal && read(payment) === 'SUCCESS'),
  }
}

function notAtOnce(): ConfigurationError {
  return new ConfigurationError(
    'isFinal must return true or false and gave a promise, so nobody can tell whether the payment is final; nothing was changed by asking.',
    { option: 'isFinal' },
  )
}

function asAny(payment: PaymentLike): AnyPayment {
  if (isAny(payment)) return payment
  throw new TypeError('a payment is an object')
}

function isAny(payment: PaymentLike): payment is AnyPayment {
  return typeof payment === 'object' && payment !== null
}
