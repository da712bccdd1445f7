import type { SandboxCallback } from '../../../gateway/callbacks/delivery-log.js'
import type { Mask } from '../mask/mask.js'
import type { DeliveryListing } from '../messages/requests.js'
import { limitOf, whole } from './request-query.js'

/** A window of all deliveries of callbacks, newest first, or of those about one payment. */
export function deliveries(
  log: readonly SandboxCallback[],
  query: URLSearchParams,
  mask: Mask,
): DeliveryListing {
  const offset = whole(query.get('offset'), Number.MAX_SAFE_INTEGER)
  const limit = limitOf(query)
  const payment = query.get('payment')
  const found = log
    .filter(({ kind, id }) => payment === null || payment === `${kind}/${id}`)
    .filter((callback) => query.get('failed') !== 'yes' || hasFailed(callback))
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
