/** A timer that can be cancelled. */
export interface Timer {
  cancel(): void
}

interface Entry extends Timer {
  readonly due: number
  readonly order: number
  task: (() => void) | undefined
}

/**
 * Timers in the order in which they fall due; equal times keep the order in which they were set, so that a run
 * on a virtual clock repeats. A binary heap. Cancelled entries are removed when they are the majority: every
 * payment that is settled by hand leaves one that may be days away.
 */
export class TimerQueue {
  #heap: Entry[] = []
  #order = 0
  #cancelled = 0

  get size(): number {
    return this.#heap.length - this.#cancelled
  }

  add(due: number, task: () => void): Timer {
    const entry: Entry = {
      due,
      order: this.#order++,
      task,
      cancel: () => {
        if (entry.task === undefined) return
        entry.task = undefined
        this.#cancelled += 1
        if (this.#cancelled > 64 && this.#cancelled * 2 > this.#heap.length) this.#sweep()
      },
    }
    this.#heap.push(entry)
    this.#up(this.#heap.length - 1)
    return entry
  }

  /** When the next live timer is due. */
  nextDue(): number | undefined {
    while (this.#heap[0] !== undefined && this.#heap[0].task === undefined) {
      this.#cancelled -= 1
      this.#removeFirst()
    }
    return this.#heap[0]?.due
  }

  /** Takes the next live timer out, when it is due at `time` or before. */
  take(time: number): { due: number; run: () => void } | undefined {
    const due = this.nextDue()
    if (due === undefined || due > time) return undefined
    const entry = this.#removeFirst()
    const run = entry?.task
    if (entry === undefined || run === undefined) return undefined
    entry.task = undefined
    return { due, run }
  }

  clear(): void {
    for (const entry of this.#heap) entry.task = undefined
    this.#heap = []
    this.#cancelled = 0
  }

  #sweep(): void {
    // A sorted array is a heap.
    this.#heap = this.#heap.filter((entry) => entry.task !== undefined).sort(compare)
    this.#cancelled = 0
  }

  #removeFirst(): Entry | undefined {
    const first = this.#heap[0]
    const last = this.#heap.pop()
    if (last !== undefined && last !== first) {
      this.#heap[0] = last
      this.#down(0)
    }
    return first
  }

  #up(start: number): void {
    let index = start
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!this.#swapWhenEarlier(index, parent)) return
      index = parent
    }
  }

  #down(start: number): void {
    let index = start
    for (;;) {
      const left = index * 2 + 1
      const earlier = this.#isEarlier(left + 1, left) ? left + 1 : left
      if (!this.#swapWhenEarlier(earlier, index)) return
      index = earlier
    }
  }

  #isEarlier(a: number, b: number): boolean {
    const first = this.#heap[a]
    const second = this.#heap[b]
    return first !== undefined && second !== undefined && compare(first, second) < 0
  }

  #swapWhenEarlier(child: number, parent: number): boolean {
    const below = this.#heap[child]
    const above = this.#heap[parent]
    if (below === undefined || above === undefined || compare(below, above) >= 0) return false
    this.#heap[child] = above
    this.#heap[parent] = below
    return true
  }
}

function compare(a: Entry, b: Entry): number {
  return a.due - b.due || a.order - b.order
}
