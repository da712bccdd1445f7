/** Clocks drift apart: a reading is less sure by so much with each millisecond of its age. */
const drift = 0.0002

/** The store's clock as a response shows it. The other two are of `performance.now()`. */
export interface ClockReading {
  readonly now: number
  readonly askedAt: number
  readonly respondedAt: number
}

interface Offset {
  readonly offsetMs: number
  /** To either side of it. */
  readonly unsureMs: number
  readonly at: number
}

/** The store's clock as this process knows it, from the response that came quickest (Cristian's algorithm). */
export class StoreClock {
  #best: Offset | undefined

  /** How far a moment may be from what {@link local} says, in milliseconds. */
  unsureMs(at: number): number {
    return this.#best === undefined ? Number.POSITIVE_INFINITY : unsureAt(this.#best, at)
  }

  local(storeTime: number): number {
    return storeTime - (this.#best?.offsetMs ?? 0)
  }

  /** What the store's clock shows now, at the latest. */
  latest(now: number): number {
    return now + (this.#best?.offsetMs ?? 0) + this.unsureMs(now)
  }

  read({ now, askedAt, respondedAt }: ClockReading): void {
    const read: Offset = {
      // The store shows whole milliseconds, rounded down.
      offsetMs: now + 0.5 - (askedAt + respondedAt) / 2,
      unsureMs: (respondedAt - askedAt) / 2 + 0.5,
      at: respondedAt,
    }
    const best = this.#best
    const isSurer = best === undefined || read.unsureMs <= unsureAt(best, read.at)
    if (isSurer || !agree(best, read)) this.#best = read
  }
}

function unsureAt({ unsureMs, at }: Offset, now: number): number {
  return unsureMs + (now - at) * drift
}

/** Two that can't both be true show that the store's clock was set, or that it is another store. */
function agree(one: Offset, other: Offset): boolean {
  return Math.abs(one.offsetMs - other.offsetMs) <= unsureAt(one, other.at) + other.unsureMs
}

/** A slot is valid at least and at most for so long after it begins, in milliseconds. */
const leastMs = 5
export const mostLateMs = 40

/** How late this process uses its slots: timers fire late, and other work goes before. */
export class Lateness {
  /** The longest delay so far; each slot that was used sooner takes a tenth off. */
  #worstMs = mostLateMs / 2

  /** For how long a slot has to be valid, so that as a rule it is used in time. */
  get validMs(): number {
    return Math.min(mostLateMs, Math.max(leastMs, Math.ceil(2 * this.#worstMs) + 3))
  }

  used(lateMs: number): void {
    this.#worstMs = Math.max(lateMs, this.#worstMs * 0.9)
  }

  lost(): void {
    this.#worstMs = mostLateMs / 2
  }
}
