import { vi } from 'vitest'

const realImmediate = globalThis.setImmediate

/**
 * A clock for thousands of timers at once. Timers that fall due together fire together, and what they
 * begin comes as far as it can before the next ones do.
 */
export class Clock {
  #now = 0
  readonly #due = new Map<number, Set<() => void>>()

  /** Puts itself in the place of timers and clocks, until `remove`. */
  install(): void {
    vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => {
      const due = this.#now + Math.max(1, Math.ceil(ms))
      const timers = this.#due.get(due) ?? new Set()
      this.#due.set(due, timers.add(run))
      return { due, run, unref: () => undefined }
    })
    vi.stubGlobal('clearTimeout', (timer?: { due: number; run: () => void }) => {
      if (timer !== undefined) this.#cancel(timer.due, timer.run)
    })
    vi.spyOn(performance, 'now').mockImplementation(() => this.#now)
    vi.spyOn(Date, 'now').mockImplementation(() => 1_700_000_000_000 + this.#now)
  }

  remove(): void {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  }

  /** How many timers wait. */
  get timers(): number {
    return [...this.#due.values()].reduce((sum, { size }) => sum + size, 0)
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    await settled()
    for (let next = this.#next(); next <= end; next = this.#next()) {
      this.#now = next
      const timers = this.#due.get(next) ?? []
      this.#due.delete(next)
      for (const run of timers) run()
      await settled()
    }
    this.#now = end
  }

  #next(): number {
    return Math.min(...this.#due.keys())
  }

  #cancel(due: number, run: () => void): void {
    const timers = this.#due.get(due)
    timers?.delete(run)
    if (timers?.size === 0) this.#due.delete(due)
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => realImmediate(resolve))
}
