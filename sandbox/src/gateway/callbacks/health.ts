import type { Payment } from '../payments/payment.js'

/**
 * Whether the merchant has heard of a payment's present status: nothing was to be sent or it was withheld
 * (`none`), it is on its way (`waiting`), it failed and is sent again (`retrying`), it was given up (`failed`).
 */
export type CallbackHealth = 'none' | 'waiting' | 'delivered' | 'retrying' | 'failed'

interface Tally {
  readonly status: string
  open: number
  failures: number
  delivered: number
  givenUp: number
}

/** Counts the callbacks about the present status of each payment, for as long as the payment is held. */
export class CallbackTallies {
  readonly #tallies = new WeakMap<Payment, Tally>()

  of(payment: Payment): CallbackHealth {
    const tally = this.#tallies.get(payment)
    if (tally === undefined || tally.status !== payment.status) return 'none'
    if (tally.delivered > 0) return 'delivered'
    if (tally.open > 0) return tally.failures > 0 ? 'retrying' : 'waiting'
    return tally.givenUp > 0 ? 'failed' : 'none'
  }

  begin(payment: Payment, status: string): void {
    this.#of(payment, status).open += 1
  }

  attemptFailed(payment: Payment, status: string): void {
    this.#of(payment, status).failures += 1
  }

  end(payment: Payment, status: string, end: 'delivered' | 'givenUp'): void {
    const tally = this.#of(payment, status)
    tally.open -= 1
    tally[end] += 1
  }

  /** News about an older status count for nothing: a newer one has taken its place. */
  #of(payment: Payment, status: string): Tally {
    const known = this.#tallies.get(payment)
    if (known?.status === status) return known
    const tally = { status, open: 0, failures: 0, delivered: 0, givenUp: 0 }
    if (payment.status === status) this.#tallies.set(payment, tally)
    return tally
  }
}
