export interface Ticket {
  /** Who is due first goes first: a moment of the monotonic clock. It may be brought forward while it waits. */
  dueAt: number
}

/** How many status requests may be on their way: what the gateway takes in a second. */
const mostOnTheirWay = 10
/** A permit that took longer shows that there are more requests than permits, for so long. */
const longPermitMs = 250
const isBusyForMs = 1000

/**
 * The order of status requests for callbacks: earliest due date first (EDD, Jackson 1955). Only the first of them waits
 * for its permit, so that the order can change as long as possible, and another process can make the others needless.
 * While permits take long, nothing goes before it is due, so that what other processes have due comes first.
 */
export class LookupQueue {
  readonly #waiting = new Map<Ticket, () => void>()
  #onTheirWay = 0
  #permitAwaitedAt: number | undefined
  #busyUntil = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #isDraining = false

  /** How long ago the first one in the queue was due; 0 when nobody is late. */
  get lateMs(): number {
    const first = this.#first()
    return first === undefined ? 0 : Math.max(0, performance.now() - first.dueAt)
  }

  /** Resolves when it is this one's turn, which ends with `leave`, or with `sent` and `ended`. */
  enter(ticket: Ticket): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(ticket, resolve)
      this.serve()
    })
  }

  /** Nobody waits any longer than for those before. */
  drain(): void {
    this.#isDraining = true
    this.serve()
  }

  /** The request has its permit and goes out: the next one may wait for a permit. */
  sent(): void {
    const now = performance.now()
    const isLong = this.#permitAwaitedAt !== undefined && now - this.#permitAwaitedAt > longPermitMs
    this.#busyUntil = isLong ? now + isBusyForMs : Number.NEGATIVE_INFINITY
    this.#permitAwaitedAt = undefined
    this.serve()
  }

  ended(): void {
    this.#onTheirWay--
    this.serve()
  }

  leave(): void {
    this.#permitAwaitedAt = undefined
    this.ended()
  }

  /** Looks at who is first: also when somebody's due date was brought forward. */
  serve(): void {
    clearTimeout(this.#timer)
    const first = this.#first()
    if (first === undefined || this.#permitAwaitedAt !== undefined || this.#onTheirWay >= mostOnTheirWay)
      return
    const now = performance.now()
    const waitMs = Math.min(first.dueAt, this.#busyUntil) - now
    if (waitMs > 0 && !this.#isDraining) {
      this.#timer = setTimeout(() => this.serve(), Math.ceil(waitMs))
      return
    }
    const start = this.#waiting.get(first)
    this.#waiting.delete(first)
    this.#onTheirWay++
    this.#permitAwaitedAt = now
    start?.()
  }

  #first(): Ticket | undefined {
    let first: Ticket | undefined
    for (const ticket of this.#waiting.keys()) {
      if (first === undefined || ticket.dueAt < first.dueAt) first = ticket
    }
    return first
  }
}
