import { createHash } from 'node:crypto'
import { decoded } from '../../client/input/decoded.js'
import { whyNoId } from '../../client/input/payment-id.js'
import { InvalidInputError, type PaymentKind } from '../../index.js'
import { kindOf } from '../kinds.js'

/** Index rows of PostgreSQL end at 2,704 bytes. */
const longest = 400

/**
 * The id of a payment's job. BullMQ refuses ids that are numbers or hold a colon, and on Redis an id is the end of a
 * key, so that `wait`, `id` or `events` would be keys of its own: a prefix and percent-encoding keep all that apart.
 *
 * @throws {InvalidInputError} for what can be no id of a payment.
 */
export function jobIdOf(kind: PaymentKind, id: unknown): string {
  const encoded = encodeURIComponent(checkId(kind, id))
  if (encoded.length <= longest) return `p-${encoded}`
  return `h-${createHash('sha256').update(encoded).digest('hex')}`
}

/** The payment that a job's id names; the job's own id where that can't be told. */
export function paymentIdOf(jobId: string): string {
  return (jobId.startsWith('p-') ? decoded(jobId.slice(2)) : undefined) ?? jobId
}

/** @throws {InvalidInputError} for what can be no id of a payment. */
export function checkId(kind: PaymentKind, id: unknown): string {
  const why = whyNoId(id)
  if (why === undefined && typeof id === 'string') return id
  const field = kindOf(kind).idField
  throw new InvalidInputError(`${field} ${why ?? 'must be a string'}; nothing was queued.`, { field })
}
