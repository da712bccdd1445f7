import type { SandboxCallback } from '../../../gateway/callbacks/delivery-log.js'
import type { Mask } from '../mask.js'
import type { DeliveryQuery } from './request-query.js'

/** A window of all deliveries of callbacks, newest first, or of those about one payment. */
export function deliveries(
  log: readonly SandboxCallback[],
  { offset, limit, payment, failed }: DeliveryQuery,
  mask: Mask,
) {
  const found = log
    .filter(({ kind, id }) => payment === undefined || (payment.kind === kind && payment.id === id))
    .filter((callback) => !failed || hasFailed(callback))
  return {
    held: log.length,
    total: found.length,
    offset,
    rows: found
      .toReversed()
      .slice(offset, offset + limit)
      .map(({ url, error, answer = null, answerBody: _, ...callback }) => ({
        ...callback,
        url: mask.url(url),
        answer,
        error: error === undefined ? null : mask.url(error),
      })),
  }
}

/** Whether it had an answer other than 2xx, or none. */
export function hasFailed({ answer, error }: SandboxCallback): boolean {
  return error !== undefined || (answer !== undefined && (answer < 200 || answer >= 300))
}
