import type { Machine } from './machine.js'

// Kept before the virtual ones take their place.
const realImmediate = globalThis.setImmediate

/** Something that will happen on a machine, unless that stops before. */
export interface Entry {
  at: number
  readonly order: number
  readonly machine: Machine
  readonly life: number
  readonly isTimer: boolean
  run: (() => void) | undefined
}

/**
 * True time, and all that will happen: one event after another, each with everything that follows from it without
 * time passing. Events of one moment keep the order in which they were made, so that a run repeats.
 */
export class Scheduler {
  now = 0
  /** How many events there have been. */
  count = 0
  #machine: Machine
  #heap: Entry[] = []
  #order = 0
  #held = 0

  /** @param world the machine that everything belongs to which belongs to no other. */
  constructor(world: Machine) {
    this.#machine = world
  }

  /** The machine whose program runs now. */
  get machine(): Machine {
    return this.#machine
  }

  schedule(machine: Machine, delayMs: number, run: () => void, isTimer = false): Entry {
    const entry: Entry = {
      at: this.now + Math.max(0, delayMs),
      order: this.#order++,
      machine,
      life: machine.life,
      isTimer,
      run,
    }
    this.#push(entry)
    return entry
  }

  /** Runs a function as the program of a machine, now; what it does later is not. */
  as<T>(machine: Machine, run: () => T): T {
    const before = this.#machine
    this.#machine = machine
    try {
      return run()
    } finally {
      this.#machine = before
    }
  }

  /** No time passes until the promise has settled: for work outside of the simulation, such as WebCrypto's threads. */
  hold(work: Promise<unknown>): void {
    this.#held++
    const end = () => {
      this.#held--
    }
    work.then(end, end)
  }

  /** Timers of a machine that are still to fire. */
  timersOf(machine: Machine): number {
    return this.#heap.filter(
      (entry) =>
        entry.isTimer && entry.machine === machine && entry.life === machine.life && entry.run !== undefined,
    ).length
  }

  /** Lets time pass until a moment, or until `isOver` says so after an event. Rejects with what an event throws. */
  run(until: number, isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = () => {
        if (this.#held > 0) {
          realImmediate(step)
          return
        }
        if (isOver()) {
          resolve()
          return
        }
        const entry = this.#next(until)
        if (entry === undefined) {
          this.now = Math.max(this.now, until)
          resolve()
          return
        }
        try {
          this.#play(entry)
        } catch (error) {
          reject(error)
          return
        }
        // A turn of the real event loop: whatever follows from the event without time passing, follows now.
        realImmediate(step)
      }
      realImmediate(step)
    })
  }

  #play(entry: Entry): void {
    const { run, machine } = entry
    entry.run = undefined
    this.now = Math.max(this.now, entry.at)
    if (run === undefined) return
    this.count++
    this.#machine = machine
    run()
  }

  /** The next event of a machine that lives and is awake. */
  #next(until: number): Entry | undefined {
    for (let entry = this.#heap[0]; entry !== undefined && entry.at <= until; entry = this.#heap[0]) {
      this.#pop()
      const { machine } = entry
      if (entry.run === undefined || entry.life !== machine.life) continue
      if (machine.frozenUntil <= entry.at) return entry
      entry.at = machine.frozenUntil
      this.#push(entry)
    }
    return undefined
  }

  #push(entry: Entry): void {
    const heap = this.#heap
    let index = heap.length
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = heap[parent]
      if (above === undefined || !isBefore(entry, above)) break
      heap[index] = above
      index = parent
    }
    heap[index] = entry
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const one = heap[left]
      const other = heap[left + 1]
      if (one === undefined) break
      const isOther = other !== undefined && isBefore(other, one)
      const first = isOther ? other : one
      if (!isBefore(first, last)) break
      heap[index] = first
      index = isOther ? left + 1 : left
    }
    heap[index] = last
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}
