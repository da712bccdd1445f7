import type { Fault, MessageFault } from '../plan.js'
import { Random } from './random.js'
import type { Scheduler } from './scheduler.js'

/**
 * The faults that are going on. What happens to a message is drawn by what the message is, and by how many such
 * messages there were: so one order less changes nothing for the others.
 */
export class Spells {
  readonly #scheduler: Scheduler
  readonly #seed: number
  readonly #faults: readonly Fault[]
  readonly #drawn = new Map<string, number>()
  #active: readonly Fault[] = []
  #activeUntil = 0
  /** How many of them have begun. */
  #begun = 0

  constructor(scheduler: Scheduler, seed: number, faults: readonly Fault[]) {
    this.#scheduler = scheduler
    this.#seed = seed
    this.#faults = [...faults].sort((a, b) => a.atMs - b.atMs)
  }

  /** The luck of the next message of this name. */
  luck(message: string): Random {
    const times = (this.#drawn.get(message) ?? 0) + 1
    this.#drawn.set(message, times)
    return new Random(`${this.#seed}/${message}/${times}`)
  }

  /** The fault of one of these kinds that hits a message. */
  hit(luck: Random, kinds: readonly MessageFault[], host?: number): Fault | undefined {
    for (const fault of this.#now()) {
      const isAbout = kinds.some((kind) => kind === fault.kind)
      const isThere = fault.host === undefined || host === undefined || fault.host === host
      if (isAbout && isThere && luck.chance(fault.share)) return fault
    }
    return undefined
  }

  /** A fault that is there for everybody while it goes on. */
  ongoing(kind: MessageFault): Fault | undefined {
    return this.#now().find((fault) => fault.kind === kind)
  }

  #now(): readonly Fault[] {
    const { now } = this.#scheduler
    if (now >= this.#activeUntil) {
      const before = this.#begun
      while ((this.#faults[this.#begun]?.atMs ?? Number.POSITIVE_INFINITY) <= now) this.#begun++
      const met = [...this.#active, ...this.#faults.slice(before, this.#begun)]
      this.#active = met.filter(({ atMs, forMs }) => now < atMs + forMs)
      const ends = this.#active.map(({ atMs, forMs }) => atMs + forMs)
      this.#activeUntil = Math.min(this.#faults[this.#begun]?.atMs ?? Number.POSITIVE_INFINITY, ...ends)
    }
    return this.#active
  }
}
