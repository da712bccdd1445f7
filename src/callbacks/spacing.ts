import { keepNewest } from './dedupe.js'

/** How many status requests for one payment may show nothing new before they are spaced out. */
const freeRequests = 50
const firstGapMs = 1_000
const longestGapMs = 60_000

interface Requests {
  /** What the last status request showed; undefined while none has succeeded. */
  readonly status: { readonly shown: string | undefined } | undefined
  readonly unchanged: number
  readonly at: number
}

/**
 * Bounds what somebody who has read one callback URL can cost. After fifty status requests in a
 * row for one payment that show the same status, the next waits for a second, then two, four, and so on up to a
 * minute. A new status begins anew. Times are in milliseconds.
 */
export class Spacing {
  readonly #requests = new Map<string, Requests>()

  gapMs(key: string): number {
    const requests = this.#requests.get(key)
    if (requests === undefined || requests.unchanged < freeRequests) return 0
    const gap = Math.min(longestGapMs, firstGapMs * 2 ** (requests.unchanged - freeRequests))
    return Math.max(0, requests.at + gap - performance.now())
  }

  /** Returns whether the status is new. */
  found(key: string, shown: string | undefined): boolean {
    const last = this.#requests.get(key)?.status
    const isNew = last === undefined || last.shown !== shown
    this.#note(key, { shown }, isNew)
    return isNew
  }

  /** Also where the request is left to a queue. */
  failed(key: string): void {
    this.#note(key, this.#requests.get(key)?.status, false)
  }

  #note(key: string, status: Requests['status'], isNew: boolean): void {
    const unchanged = isNew ? 0 : (this.#requests.get(key)?.unchanged ?? 0) + 1
    keepNewest(this.#requests, key, { status, unchanged, at: performance.now() })
  }
}
