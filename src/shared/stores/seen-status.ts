import type { SeenStatus } from '../../callbacks/index.js'
import { jsonOf } from '../../client/input/json.js'
import { isObject } from '../../client/input/own.js'

/** What was written of a payment, whoever wrote it; undefined for anything else. */
export function readSeen(status: unknown, final: unknown, look: unknown): SeenStatus | undefined {
  if (typeof final !== 'boolean') return undefined
  const counted = typeof look === 'number' && Number.isSafeInteger(look) && look > 0 ? { look } : {}
  if (status === null || status === undefined) return { status: undefined, final, ...counted }
  return typeof status === 'string' && status.length <= longestStatus
    ? { status, final, ...counted }
    : undefined
}

/** A status is a short word, whatever somebody else has written there. */
export const longestStatus = 64
const longestJson = 500

/** The same from JSON. */
export function parseSeen(json: string): SeenStatus | undefined {
  const read = json.length <= longestJson ? jsonOf(json) : undefined
  return isObject(read) ? readSeen(read.status, read.final, read.look) : undefined
}
