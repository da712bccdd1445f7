import { BoundedMap } from '../memory.js'
import type { Payment, PaymentKind, SandboxPayment } from './payment.js'

/**
 * The payins or the payouts of a sandbox.
 *
 * @example
 * ```ts
 * sandbox.payouts.list().filter((payout) => payout.status === 'SUCCESS')
 * ```
 */
export interface SandboxPayments {
  /** How many are held. */
  readonly size: number
  /**
   * The payment with that id.
   *
   * @param id the `idPayin` or `idPayout`.
   * @throws when there is none (`Error`).
   */
  get(id: string): SandboxPayment
  /**
   * The payment, or undefined when there is none.
   *
   * @param id the `idPayin` or `idPayout`.
   */
  find(id: string): SandboxPayment | undefined
  /** All that are held, the oldest first. */
  list(): SandboxPayment[]
}

/** Ids are kept ten times longer than payments, because section 7 promises a 409 for them. */
const REMEMBERED_IDS = 10

/** Holds the newest payments of one kind. The ids of those that it no longer holds stay taken. */
export class PaymentStore implements SandboxPayments {
  readonly #kind: PaymentKind
  readonly #payments: BoundedMap<Payment>
  readonly #takenIds: BoundedMap<true>

  constructor(kind: PaymentKind, max: number, onEvicted: (payment: Payment) => void) {
    this.#kind = kind
    this.#payments = new BoundedMap(max, onEvicted)
    this.#takenIds = new BoundedMap(max * REMEMBERED_IDS)
  }

  get size(): number {
    return this.#payments.size
  }

  get(id: string): Payment {
    const payment = this.#payments.get(id)
    if (payment === undefined)
      throw new Error(`The sandbox holds no ${this.#kind} with the id ${JSON.stringify(id)}.`)
    return payment
  }

  find(id: string): Payment | undefined {
    return this.#payments.get(id)
  }

  list(): Payment[] {
    return [...this.#payments.values()]
  }

  isTaken(id: string): boolean {
    return this.#takenIds.has(id)
  }

  add(payment: Payment): void {
    this.#payments.set(payment.id, payment)
    this.#takenIds.set(payment.id, true)
  }

  clear(): void {
    this.#payments.clear()
    this.#takenIds.clear()
  }
}
