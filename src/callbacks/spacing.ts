/** How many look-ups of one payment may bring nothing new before they are spaced out. */
const freeLookUps = 50
const firstGapMs = 1_000
const longestGapMs = 60_000
const mostRemembered = 10_000

interface Looks {
  /** What the last look-up showed; undefined while none has succeeded. */
  readonly status: { readonly shown: string | undefined } | undefined
  readonly withoutNews: number
  readonly at: number
}

/**
 * Bounds what somebody who has read one callback URL can cost. A look-up that shows the status that the
 * one before showed brings no news: after fifty of those in a row for one payment the next waits for
 * a second, then two, four, and so on up to a minute. News begin anew. Times are in milliseconds.
 */
export class Spacing {
  readonly #looks = new Map<string, Looks>()

  /** How long the next look-up of this payment has to wait. */
  gapMs(key: string): number {
    const looks = this.#looks.get(key)
    if (looks === undefined || looks.withoutNews < freeLookUps) return 0
    const gap = Math.min(longestGapMs, firstGapMs * 2 ** (looks.withoutNews - freeLookUps))
    return Math.max(0, looks.at + gap - performance.now())
  }

  /** A look-up ended with this status. Returns whether that is news. */
  found(key: string, shown: string | undefined): boolean {
    const last = this.#looks.get(key)?.status
    const news = last === undefined || last.shown !== shown
    this.#note(key, { shown }, news)
    return news
  }

  /** A look-up ended without a payment, or is left to a queue. */
  failed(key: string): void {
    this.#note(key, this.#looks.get(key)?.status, false)
  }

  #note(key: string, status: Looks['status'], news: boolean): void {
    const withoutNews = news ? 0 : (this.#looks.get(key)?.withoutNews ?? 0) + 1
    this.#looks.delete(key)
    this.#looks.set(key, { status, withoutNews, at: performance.now() })
    for (const oldest of this.#looks.keys()) {
      if (this.#looks.size <= mostRemembered) return
      this.#looks.delete(oldest)
    }
  }
}
