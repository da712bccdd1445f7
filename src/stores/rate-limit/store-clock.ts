import type { ClockReading } from './ask-store.js'

/** By how much a reading is less sure with each millisecond of its age: clocks drift apart. */
const drift = 0.0002

/** What one response shows: the store's clock was read at some moment between the question and the response. */
interface Reading {
  readonly offsetMs: number
  /** To either side of it. */
  readonly unsureMs: number
  readonly at: number
}

/** The store's clock as this process knows it, from the response that came quickest. */
export class StoreClock {
  #best: Reading | undefined

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

  read({ askedAt, now, answeredAt }: ClockReading): void {
    const reading: Reading = {
      // The store shows whole milliseconds, rounded down.
      offsetMs: now + 0.5 - (askedAt + answeredAt) / 2,
      unsureMs: (answeredAt - askedAt) / 2 + 0.5,
      at: answeredAt,
    }
    const best = this.#best
    const isSurer = best === undefined || reading.unsureMs <= unsureAt(best, reading.at)
    if (isSurer || !agree(best, reading)) this.#best = reading
  }
}

function unsureAt({ unsureMs, at }: Reading, now: number): number {
  return unsureMs + (now - at) * drift
}

/** Two that can't both be true show that the store's clock was set, or that it is another store. */
function agree(one: Reading, other: Reading): boolean {
  return Math.abs(one.offsetMs - other.offsetMs) <= unsureAt(one, other.at) + other.unsureMs
}
