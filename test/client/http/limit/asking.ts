import type { Queued } from '../../../../src/client/http/limit/fair-queue.js'
import type { TakeOptions } from '../../../../src/client/http/limit/queue.js'
import type { Priority } from '../../../../src/index.js'

/** A request for a permit by a call that begins now and is patient. */
export function asking(priority: Priority, more: Partial<TakeOptions> = {}): TakeOptions {
  const queued: Queued = { priority, flow: 'payouts.create', since: performance.now() }
  return { ...queued, signal: undefined, remainingMs: 60_000, ...more }
}
