import type { Payment } from '../payments/payment.js'

/**
 * Whether the merchant was notified of a payment's present status: nothing was to be sent or it was withheld
 * (`none`), it is on its way (`waiting`), it failed and is sent again (`retrying`), it was given up (`failed`).
 */
export type CallbackHealth = 'none' | 'waiting' | 'delivered' | 'retrying' | 'failed'

/** How it is with the callbacks about the present status of each payment, for as long as the payment is held. */
export class CallbackHealths {
  readonly #known = new WeakMap<Payment, { readonly status: string; readonly health: CallbackHealth }>()

  of(payment: Payment): CallbackHealth {
    const known = this.#known.get(payment)
    return known?.status === payment.status ? known.health : 'none'
  }

  /** A callback about an older status changes nothing, and what was delivered stays delivered. */
  note(payment: Payment, status: string, health: CallbackHealth): void {
    if (status !== payment.status || this.of(payment) === 'delivered') return
    this.#known.set(payment, { status, health })
  }
}
