import type { PaymentKind } from '../../../../src/index.js'
import type { Asker, Pace } from './asker.js'
import type { FollowedPayment } from './followed-payment.js'

/** Looks payments up until all have come to an end, and at once when a callback comes. */
export class Follower {
  readonly #asker: Asker
  readonly #pace: Pace
  readonly #payments: readonly FollowedPayment[]
  readonly #arrived = { payin: 0, payout: 0 }
  readonly #repeating = new Set<PaymentKind>()
  #wake = new AbortController()

  /** @param payments may still grow until it runs. */
  constructor(asker: Asker, pace: Pace, payments: readonly FollowedPayment[]) {
    this.#asker = asker
    this.#pace = pace
    this.#payments = payments
  }

  /** @returns the seconds that it took. */
  async run(waitMs: number): Promise<number> {
    const start = performance.now()
    for (;;) {
      this.#wake = new AbortController()
      for (const payment of this.#payments) if (!payment.isAtEnd) await payment.lookUp()
      const isOver = this.#payments.every(({ isAtEnd }) => isAtEnd)
      if (isOver || performance.now() - start >= waitMs) break
      await this.#asker.wait(this.#pace.pollMs, this.#wake.signal)
    }
    return Math.round((performance.now() - start) / 1000)
  }

  /**
   * What a callback is answered with: 500 for the one that tells of a payment's end, to see how often it comes again,
   * and 204 for those before. Nothing in a callback says which it is, so each waits a moment: if another one comes
   * meanwhile, it was not the last.
   */
  async statusOf(kind: PaymentKind): Promise<number> {
    if (this.#repeating.has(kind)) return 500
    this.#arrived[kind]++
    const number = this.#arrived[kind]
    this.#wake.abort()
    await this.#asker.wait(this.#pace.holdMs)
    const isLast = number === this.#arrived[kind] && !this.#repeating.has(kind)
    if (!isLast || !this.#payments.some((one) => one.kind === kind && one.isAtEnd)) return 204
    this.#repeating.add(kind)
    return 500
  }
}
