import type { DeliveredStatus } from '../callbacks/index.js'
import { isObject, jsonOf } from '../client/input/values.js'

/** A status is a short word, whatever somebody else has written there. */
export const longestStatus = 64
export const longestJson = 500

/** @throws for what is no such status: the receiver reports it, and deals with the callback as new (`Error`). */
export function readDelivered(status: unknown, final: unknown, requestNumber: unknown): DeliveredStatus {
  if (typeof final !== 'boolean') throw unreadable()
  const isCounted =
    typeof requestNumber === 'number' && Number.isSafeInteger(requestNumber) && requestNumber > 0
  const counted = isCounted ? { requestNumber } : {}
  if (status === null || status === undefined) return { status: undefined, final, ...counted }
  if (typeof status !== 'string' || status.length > longestStatus) throw unreadable()
  return { status, final, ...counted }
}

export function parseDelivered(json: string): DeliveredStatus {
  const read = json.length <= longestJson ? jsonOf(json) : undefined
  if (!isObject(read)) throw unreadable()
  return readDelivered(read.status, read.final, read.requestNumber)
}

function unreadable(): Error {
  return new Error(
    'the dedupe store holds something for this payment that this package has not written; the next delivery writes over it.',
  )
}
