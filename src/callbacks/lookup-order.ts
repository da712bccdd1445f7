export interface Ticket {
  /** A moment of the monotonic clock. It may be brought forward while it waits. */
  readonly dueAt: number
}

/** Status requests on their way: what the gateway takes in a second. */
const mostUnderWay = 10
/** A permit that took longer shows that there are more requests than permits. */
const longPermitMs = 250
const isBusyForMs = 1000

/**
 * The order of status requests for callbacks: earliest due date first (EDD, Jackson 1955). Only the first one waits for
 * its permit in the client's queue: the others can still change places, or become needless. While permits take long,
 * none goes before it is due, so that what other processes have due comes first.
 */
export class LookupOrder {
  readonly #waiting = new Map<Ticket, () => void>()
  #underWay = 0
  #permitAwaitedAt: number | undefined
  #busyUntil = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #isDraining = false

  /** How long ago the first one was due; 0 when nobody is late. */
  get lateMs(): number {
    const first = this.#first()
    return first === undefined ? 0 : Math.max(0, performance.now() - first.dueAt)
  }

  /** Runs `lookUp` when its turn has come. The next may begin once its request has gone out. */
  async run<T>(ticket: Ticket, lookUp: (onSent: () => void) => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiting.set(ticket, resolve)
      this.serve()
    })
    let waitsForPermit = true
    const onSent = () => {
      if (waitsForPermit) this.#sent()
      waitsForPermit = false
    }
    try {
      return await lookUp(onSent)
    } finally {
      if (waitsForPermit) this.#permitAwaitedAt = undefined
      this.#underWay--
      this.serve()
    }
  }

  /** Nobody waits any longer for those before. */
  drain(): void {
    this.#isDraining = true
    this.serve()
  }

  /** Starts who is first and due; called again when a due date was brought forward. */
  serve(): void {
    clearTimeout(this.#timer)
    const first = this.#first()
    const mayBegin = this.#permitAwaitedAt === undefined && this.#underWay < mostUnderWay
    if (first === undefined || !mayBegin) return
    const now = performance.now()
    const waitMs = Math.min(first.dueAt, this.#busyUntil) - now
    if (waitMs > 0 && !this.#isDraining) {
      this.#timer = setTimeout(() => this.serve(), Math.ceil(waitMs))
      return
    }
    const start = this.#waiting.get(first)
    this.#waiting.delete(first)
    this.#underWay++
    this.#permitAwaitedAt = now
    start?.()
  }

  #sent(): void {
    const now = performance.now()
    const isLong = this.#permitAwaitedAt !== undefined && now - this.#permitAwaitedAt > longPermitMs
    this.#busyUntil = isLong ? now + isBusyForMs : Number.NEGATIVE_INFINITY
    this.#permitAwaitedAt = undefined
    this.serve()
  }

  #first(): Ticket | undefined {
    let first: Ticket | undefined
    for (const ticket of this.#waiting.keys()) {
      if (first === undefined || ticket.dueAt < first.dueAt) first = ticket
    }
    return first
  }
}
