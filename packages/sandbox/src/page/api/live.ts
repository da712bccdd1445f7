import type { PageParts } from './parts.js'

/** What the page asks for twice a second: whether to look at anything else. */
export type LiveState = ReturnType<typeof liveStateOf>

/** Costs next to nothing: it looks at no payment and at no request. */
export function liveStateOf({ changes, clock, limiter, meter }: PageParts) {
  const { limit } = limiter.state
  return {
    /** Another number than before: something has changed. */
    changes: changes.count,
    /** The requests of the last minute. */
    rate: {
      ...meter.read(clock.monotonic()),
      /** Requests a second; null for no limit. */
      limit: limit === false ? null : limit,
    },
  }
}
