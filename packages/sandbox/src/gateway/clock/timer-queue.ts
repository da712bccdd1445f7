export interface Timer {
  cancel(): void
}

interface Entry {
  readonly due: number
  readonly order: number
  readonly run: () => void
}

/** Equal times keep the order in which they were set, so that a run on a virtual clock repeats. */
export class TimerQueue {
  #entries: Entry[] = []
  #added = 0

  add(due: number, run: () => void): Timer {
    const entry: Entry = { due, order: this.#added++, run }
    this.#entries.splice(this.#placeOf(entry), 0, entry)
    return {
      cancel: () => {
        const place = this.#placeOf(entry)
        if (this.#entries[place] === entry) this.#entries.splice(place, 1)
      },
    }
  }

  nextDue(): number | undefined {
    return this.#entries[0]?.due
  }

  take(time: number): { readonly due: number; readonly run: () => void } | undefined {
    const due = this.nextDue()
    return due !== undefined && due <= time ? this.#entries.shift() : undefined
  }

  clear(): void {
    this.#entries = []
  }

  /** Behind all that come before it. */
  #placeOf({ due, order }: Entry): number {
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.#entries[middle]
      const isBefore = other !== undefined && (other.due - due || other.order - order) < 0
      if (isBefore) low = middle + 1
      else high = middle
    }
    return low
  }
}
