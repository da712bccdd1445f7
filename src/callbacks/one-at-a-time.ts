/** Whose turn it is, among what waits in this process and in others. */
interface Turn {
  /** Whether the status request has begun: until then it is early enough for everybody who comes. */
  readonly hasBegun: boolean
  joined(): void
  /** Whether, before it has begun, another process has dealt with what it is for. */
  isKnown(): Promise<boolean>
}

/** A piece of work in two steps: the status request, and everything after it. Neither promise ever rejects. */
export interface Work<R> {
  readonly turn: Turn
  /** Resolves when the status request has ended, well or not. */
  readonly requested: Promise<unknown>
  readonly done: Promise<R>
}

interface Entry<R> {
  running: Work<R>
  /** Asked for since the first one has begun: one more, and no further. */
  next: Work<R> | undefined
  joined: number
}

/** How many callbacks may wait for the same status request, each with a connection. */
const joinedForEach = 100

/** Runs one piece of work for each key at a time, and one more for all who ask meanwhile. */
export class OneAtATime<R> {
  readonly #entries = new Map<string, Entry<R>>()
  readonly #isFull: () => boolean

  /** @param isFull whether no more keys may have work. */
  constructor(isFull: () => boolean) {
    this.#isFull = isFull
  }

  get size(): number {
    return this.#entries.size
  }

  /** The work whose status request begins after this moment; undefined when too much or too many wait. */
  run(key: string, start: () => Work<R>): Work<R> | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) {
      if (this.#isFull()) return undefined
      const running = start()
      this.#entries.set(key, { running, next: undefined, joined: 0 })
      this.#whenDone(key, running)
      return running
    }
    if (!entry.running.turn.hasBegun) entry.running.turn.joined()
    else entry.next ??= after(entry.running, start)
    if (entry.joined >= joinedForEach) return undefined
    entry.joined++
    return entry.next ?? entry.running
  }

  async idle(): Promise<void> {
    while (this.#entries.size > 0) {
      await Promise.all([...this.#entries.values()].map(({ running }) => running.done))
    }
  }

  #whenDone(key: string, work: Work<R>): void {
    void work.done.then(() => {
      const entry = this.#entries.get(key)
      if (entry?.next === undefined) {
        this.#entries.delete(key)
        return
      }
      entry.running = entry.next
      entry.next = undefined
      entry.joined = 0
      this.#whenDone(key, entry.running)
    })
  }
}

function after<R>(first: Work<R>, start: () => Work<R>): Work<R> {
  let started: Work<R> | undefined
  const second = first.done.then(() => {
    started = start()
    return { work: started }
  })
  return {
    turn: {
      get hasBegun() {
        return started?.turn.hasBegun ?? false
      },
      joined: () => started?.turn.joined(),
      isKnown: async () => (await started?.turn.isKnown()) ?? false,
    },
    requested: second.then(({ work }) => work.requested),
    done: second.then(({ work }) => work.done),
  }
}
