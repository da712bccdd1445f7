import { Random } from './random.js'

/** What sets one machine's clocks apart from true time. */
export interface ClockErrors {
  /** How many milliseconds pass on it in one: 1.0001 for a clock that is fast. */
  readonly rate: number
  /** How far its wall clock is ahead at the start, in milliseconds. */
  readonly aheadMs: number
}

/**
 * A computer: a host of the merchant's, the gateway, a store. It can stop between any two events, and then what an
 * earlier life of it began does nothing any more.
 */
export class Machine {
  readonly name: string
  readonly random: Random
  readonly #epochMs: number
  readonly #rate: number
  #aheadMs: number
  #life = 1
  #bootedAt = 0
  isUp = true
  /** Until then it does nothing and hears nothing: a long garbage collection, a laptop that sleeps. */
  frozenUntil = 0

  constructor(name: string, seed: string, epochMs: number, { rate, aheadMs }: ClockErrors) {
    this.name = name
    this.random = new Random(`${seed}/${name}`)
    this.#epochMs = epochMs
    this.#rate = rate
    this.#aheadMs = aheadMs
  }

  /** Counts its lives. */
  get life(): number {
    return this.#life
  }

  /** Milliseconds of true time for so many on its own clock. */
  trueMs(ownMs: number): number {
    return ownMs / this.#rate
  }

  /** Its monotonic clock, which begins at each boot. */
  monotonic(now: number): number {
    return (now - this.#bootedAt) * this.#rate
  }

  /** Its wall clock: milliseconds since 1970. */
  wall(now: number): number {
    return Math.floor(this.#epochMs + this.#aheadMs + now * this.#rate)
  }

  /** Somebody sets its wall clock. */
  setClock(byMs: number): void {
    this.#aheadMs += byMs
  }

  /** Everything in its memory is gone. */
  crash(): void {
    this.#life++
    this.isUp = false
  }

  boot(now: number): void {
    this.isUp = true
    this.#bootedAt = now
  }
}
