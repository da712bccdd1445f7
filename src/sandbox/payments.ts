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
   * @throws Error when there is none
   */
  get(id: string): SandboxPayment
  /** The payment, or undefined when there is none. */
  find(id: string): SandboxPayment | undefined
  /** All that are held, the oldest first. */
  list(): SandboxPayment[]
}

// Ids outlive their payments by this factor: a few bytes each keep the promise of section 7 much longer.
const REMEMBERED_IDS = 10

/** Holds the newest payments of one kind; the ids of those let go are still taken. */
export class PaymentStore implements SandboxPayments {
  readonly #kind: PaymentKind
  readonly #max: number
  readonly #payments = new Map<string, Payment>()
  readonly #gone = new Set<string>()
  readonly #letGo: (payment: Payment) => void

  constructor(kind: PaymentKind, max: number, letGo: (payment: Payment) => void) {
    this.#kind = kind
    this.#max = max
    this.#letGo = letGo
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

  /** Whether a create request with this id was accepted before. */
  isTaken(id: string): boolean {
    return this.#payments.has(id) || this.#gone.has(id)
  }

  add(payment: Payment): void {
    this.#payments.set(payment.id, payment)
    if (this.#payments.size <= this.#max) return
    const oldest = first(this.#payments.values())
    if (oldest === undefined) return
    this.#payments.delete(oldest.id)
    this.#gone.add(oldest.id)
    this.#letGo(oldest)
    const oldestId = this.#gone.size > this.#max * REMEMBERED_IDS ? first(this.#gone) : undefined
    if (oldestId !== undefined) this.#gone.delete(oldestId)
  }
}

function first<T>(values: Iterable<T>): T | undefined {
  for (const value of values) return value
  return undefined
}
