import type { PageParts } from './parts.js'

/** What the page asks for twice a second. */
export type LiveState = ReturnType<typeof liveStateOf>

/** Costs next to nothing: it reads no payment and no request. */
export function liveStateOf({ changes, clock, limiter, meter }: PageParts) {
  const { limit } = limiter.state
  return {
    /** Another number than before: something has changed. */
    changes: changes.count,
    /** The requests of the last minute; the limit is for a second, null for none. */
    rate: { ...meter.read(clock.monotonic()), limit: limit === false ? null : limit },
  }
}
