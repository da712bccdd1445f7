import { ConfigurationError } from '../errors.js'
import type { PaymentProfile } from '../gateway-profile/profile.js'
import { inherits } from '../input/own.js'
import { yesOrNo } from '../input/yes-or-no.js'
import type { PaymentLike } from '../payment-like.js'
import type { PaymentStatus } from '../schemas/payment.js'

export type { PaymentLike }

/** What your own `statusOf` and `isFinal` get: a payment with whatever fields the gateway gave it. */
export type AnyPayment = PaymentLike & {
  /** Whatever the gateway sends. */
  readonly [field: string]: unknown
}

/** Of payments that a client with a profile has looked up: what their gateway shows of them, and where. */
const profiles = new WeakMap<object, PaymentProfile>()

/** From now on this payment is read by a profile, by whomever. */
export function readBy(profile: PaymentProfile | undefined, payment: unknown): void {
  if (profile !== undefined && typeof payment === 'object' && payment !== null) profiles.set(payment, profile)
}

/** A text at a path of names with dots between them. */
function textAt(payment: PaymentLike, path: string): string | undefined {
  let found: unknown = payment
  for (const name of path.split('.')) found = fieldOf(found, name)
  return typeof found === 'string' ? found : undefined
}

/** What all objects have, from the language or from another package, says nothing about a payment. */
function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, name) || inherits(value, name) ? Reflect.get(value, name) : undefined
}

/**
 * Whether a payment will not change any more. The specification names only SUCCESS (section 3), so a
 * payment is final when its status is that, or when it has been processed. An unknown status is not. A payment
 * that a client with a `profile` has looked up is read by that: what it calls final is.
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
    (known === 'unclear' && (textAt(payment, processedAtField) ?? '') !== '')
  )
}

/**
 * The status of a payment, where it shows one in `process.status`; of one that a client with a `profile` has looked
 * up, where that says.
 *
 * @example
 * if (statusOf(payin) === 'PENDING') console.log('not yet')
 */
export function statusOf(payment: PaymentLike): PaymentStatus | undefined {
  return textAt(payment, profiles.get(payment)?.statusField ?? 'process.status')
}

/**
 * Whether a payment has succeeded: its status is SUCCESS, the only one that the specification names (section 3).
 * A payment that is final and not paid has failed, was refused or has expired; one that is neither may
 * still become either.
 *
 * @param options Where your gateway's status stands elsewhere: `statusOf`, as for the client.
 * @example
 * if (isPaid(payin)) await orders.ship(payin)
 */
export function isPaid(
  payment: PaymentLike,
  options: {
    /** Reads the status; default: {@link statusOf}. */
    readonly statusOf?: ((payment: AnyPayment) => string | undefined) | undefined
  } = {},
): boolean {
  return (options.statusOf ?? statusOf)(asAny(payment)) === 'SUCCESS'
}

/** How a client reads payments: its options, or the defaults. */
export interface PaymentReading {
  readonly statusOf: (payment: PaymentLike) => PaymentStatus | undefined
  readonly isFinal: (payment: PaymentLike) => boolean
}

/** A status is a word; a longer text is none, and would be kept for thousands of payments. */
const longestStatus = 200

/** The options `statusOf` and `isFinal`. By the default `isFinal`, a SUCCESS that `statusOf` reads is final too. */
export function paymentReading(options: {
  readonly statusOf?: ((payment: AnyPayment) => string | undefined) | undefined
  readonly isFinal?: ((payment: AnyPayment) => boolean) | undefined
}): PaymentReading {
  const read = (payment: PaymentLike) => {
    const status: unknown = (options.statusOf ?? statusOf)(asAny(payment))
    return typeof status === 'string' && status.length <= longestStatus ? status : undefined
  }
  const { isFinal: own = isFinal } = options
  return {
    statusOf: read,
    isFinal: (payment) =>
      yesOrNo(own(asAny(payment)), notAtOnce) || (own === isFinal && read(payment) === 'SUCCESS'),
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
