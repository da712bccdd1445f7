/** A status request that waits for its turn. */
export interface Ticket {
  /** Who is due first goes first: a moment of the monotonic clock. It may be brought forward while it waits. */
  dueAt: number
}

/** How many status requests may be on their way: what the gateway takes in a second. */
const mostOnTheirWay = 10

/**
 * The order of status requests for callbacks: earliest due date first (EDD, Jackson 1955). Only the first of them waits
 * for its permit, so that the order can change as long as possible, and another process can make the others needless.
 */
export class LookupQueue {
  readonly #waiting = new Map<Ticket, () => void>()
  #onTheirWay = 0
  #isPermitAwaited = false

  /** How long ago the first one in the queue was due; 0 when nobody is late. */
  get lateMs(): number {
    const first = this.#first()
    return first === undefined ? 0 : Math.max(0, performance.now() - first.dueAt)
  }

  /** Resolves when it is this one's turn; undefined when that is now. Each turn ends with `ended`. */
  enter(ticket: Ticket): Promise<void> | undefined {
    if (this.#waiting.size === 0 && this.#hasRoom) {
      this.#begin()
      return undefined
    }
    return new Promise((resolve) => this.#waiting.set(ticket, resolve))
  }

  /** The request has its permit and goes out: the next one may wait for a permit. */
  sent(): void {
    this.#isPermitAwaited = false
    this.#serve()
  }

  ended(): void {
    this.#onTheirWay--
    this.#serve()
  }

  /** Nothing is requested after all. */
  leave(): void {
    this.sent()
    this.ended()
  }

  get #hasRoom(): boolean {
    return !this.#isPermitAwaited && this.#onTheirWay < mostOnTheirWay
  }

  #begin(): void {
    this.#onTheirWay++
    this.#isPermitAwaited = true
  }

  #serve(): void {
    const first = this.#hasRoom ? this.#first() : undefined
    if (first === undefined) return
    const start = this.#waiting.get(first)
    this.#waiting.delete(first)
    this.#begin()
    start?.()
  }

  #first(): Ticket | undefined {
    let first: Ticket | undefined
    for (const ticket of this.#waiting.keys())
      if (first === undefined || ticket.dueAt < first.dueAt) first = ticket
    return first
  }
}
