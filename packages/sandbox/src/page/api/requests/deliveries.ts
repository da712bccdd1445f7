import type { SandboxCallback } from '../../../gateway/callbacks/delivery-log.js'
import type { Mask } from '../mask.js'
import { hasFailed } from '../payments/callback-fix.js'
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
