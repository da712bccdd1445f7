import type { Slot } from './store-link.js'

/** Permits whose requests were not sent yet, in the order in which they were issued. */
export class PendingPermits {
  /** Their slots; undefined for a permit of the own share. */
  readonly #slots: (Slot | undefined)[] = []
  #until = 0
  #notify: () => void = () => undefined
  sent: Promise<void> = Promise.resolve()

  /** How long until the last of them is of no use any more. */
  get remainingMs(): number {
    return this.#until - performance.now()
  }

  get isWaitedFor(): boolean {
    return this.#slots.length > 0 && this.remainingMs > 0
  }

  add(slot: Slot | undefined, useBefore: number): void {
    this.#slots.push(slot)
    this.#notify()
    this.#until = useBefore
    this.#renew()
  }

  /** One of them was sent, or was returned. */
  shift(): Slot | undefined {
    const slot = this.#slots.shift()
    this.#notify()
    if (this.#slots.length > 0) this.#renew()
    return slot
  }

  #renew(): void {
    this.sent = new Promise((resolve) => {
      this.#notify = resolve
    })
  }
}
