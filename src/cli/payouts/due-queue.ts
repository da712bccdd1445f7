/** What is to be done at some time, the earliest first, and of the same time what came first: a binary heap. */
export class DueQueue<T> {
  readonly #heap: Entry<T>[] = []
  #added = 0

  add(item: T, dueMs: number): void {
    const heap = this.#heap
    heap.push({ item, dueMs, order: this.#added++ })
    for (let at = heap.length - 1; at > 0 && this.#swapUnlessBefore((at - 1) >> 1, at); at = (at - 1) >> 1);
  }

  /** When the first is due; undefined when there is none. */
  get nextMs(): number | undefined {
    return this.#heap[0]?.dueMs
  }

  /** The first, if it is due. */
  take(nowMs: number): T | undefined {
    const heap = this.#heap
    const first = heap[0]
    if (first === undefined || first.dueMs > nowMs) return undefined
    const last = heap.pop()
    if (last !== undefined && heap.length > 0) {
      heap[0] = last
      this.#sink()
    }
    return first.item
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      const child = this.#isBefore(left + 1, left) ? left + 1 : left
      if (!this.#swapUnlessBefore(at, child)) return
      at = child
    }
  }

  /** Swaps parent and child when the child is due before it. */
  #swapUnlessBefore(parent: number, child: number): boolean {
    if (!this.#isBefore(child, parent)) return false
    const heap = this.#heap
    const [a, b] = [heap[parent], heap[child]]
    if (a !== undefined && b !== undefined) [heap[parent], heap[child]] = [b, a]
    return true
  }

  #isBefore(a: number, b: number): boolean {
    const [first, second] = [this.#heap[a], this.#heap[b]]
    if (first === undefined || second === undefined) return false
    return first.dueMs === second.dueMs ? first.order < second.order : first.dueMs < second.dueMs
  }
}

interface Entry<T> {
  readonly item: T
  readonly dueMs: number
  readonly order: number
}
