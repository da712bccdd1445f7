/**
 * The sandbox's own time: tokens expire, rate windows pass, payments end and callbacks are sent again
 * by it.
 *
 * @example
 * ```ts
 * const sandbox = createSandbox({ clock: 'virtual' })
 * // ... create a payout ...
 * await sandbox.clock.advance(24 * 60 * 60 * 1000) // a day, in a millisecond
 * ```
 */
export interface SandboxClock {
  /** `real` follows the machine's clock; `virtual` stands still until `advance` moves it on. */
  readonly mode: 'real' | 'virtual'
  /** Milliseconds since 1970, by this clock. */
  now(): number
  /**
   * Moves a virtual clock on by `ms` milliseconds and runs everything that falls due on the way, in order.
   * Waits for the callbacks that this sends (and for their repetitions within `ms`) to be answered, so a
   * callback's receiver must not wait for the clock to move.
   *
   * @param ms how far, in milliseconds.
   * @throws in real mode, or when `ms` is not a finite number of at least 0 (`Error`).
   */
  advance(ms: number): Promise<void>
  /**
   * Shows a wrong time: `ms` milliseconds ahead, or behind when negative; for `forMs`, or until 0 or `clearFaults`
   * sets it right. `Date`, `iat`, the check of `timestamp` and the expiry of tokens follow it; timers do not.
   *
   * @param ms how wrong, in milliseconds; negative is behind, and 0 is right.
   * @param forMs for how long, in milliseconds; until it is set right, without it.
   * @throws when `ms` is not a finite number (`Error`).
   */
  skew(ms: number, forMs?: number): void
}

// Kept before a test can replace it by a fake timer: advancing the virtual clock needs the real one.
const realImmediate = globalThis.setImmediate
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** The clock, with what the sandbox itself uses: timers, a monotonic time, and a skew. */
export class Clock implements SandboxClock {
  readonly mode: 'real' | 'virtual'
  readonly #queue = new TimerQueue()
  readonly #offset: number
  #virtualNow: number
  #target: number
  #advancing: Promise<void> = Promise.resolve()
  #pendingWork: () => Promise<void> = async () => {}
  #timeout: NodeJS.Timeout | undefined
  #timeoutDue = Number.POSITIVE_INFINITY
  #closed = false
  #skewMs = 0
  #unskew: Timer | undefined
  #onMove: () => void = () => {}

  constructor(mode: 'real' | 'virtual', startAt: number | undefined) {
    this.mode = mode
    const start = startAt ?? Date.now()
    this.#virtualNow = start
    this.#target = start
    this.#offset = startAt === undefined ? 0 : startAt - Date.now()
  }

  now(): number {
    return this.#skewMs + this.withoutSkew()
  }

  withoutSkew(): number {
    return this.mode === 'virtual' ? this.#virtualNow : Date.now() + this.#offset
  }

  /** Whether it is the machine's own time. */
  get isOfTheMachine(): boolean {
    return this.mode === 'real' && this.#offset === 0
  }

  /** By how much it is wrong, in milliseconds: ahead, or behind when negative. */
  get skewMs(): number {
    return this.#skewMs
  }

  /** Sets what is called when it shows another time than before other than by time passing. */
  whenMoved(listener: () => void): void {
    this.#onMove = listener
  }

  skew(ms: number, forMs = Number.POSITIVE_INFINITY): void {
    if (!Number.isFinite(ms)) throw new Error('clock.skew(ms) takes a number of milliseconds.')
    this.#unskew?.cancel()
    this.#skewMs = ms
    this.#unskew = forMs === Number.POSITIVE_INFINITY ? undefined : this.schedule(forMs, () => this.skew(0))
    this.#onMove()
  }

  /** A time that no skew and no change of the machine's clock moves: for rate windows and timers. */
  monotonic(): number {
    return this.mode === 'virtual' ? this.#virtualNow : performance.now()
  }

  /** Runs `task` after `delayMs`. It does not keep the process alive. */
  schedule(delayMs: number, task: () => void): Timer {
    if (this.#closed) return { cancel() {} }
    const timer = this.#queue.add(this.monotonic() + delayMs, task)
    if (this.mode === 'real') this.#setTimeout()
    return timer
  }

  /** Resolves after `ms`; never, when the sandbox is closed before. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.schedule(ms, resolve))
  }

  /** Sets what `advance` waits for after every timer that it runs: deliveries that the timer has begun. */
  afterEachTimer(work: () => Promise<void>): void {
    this.#pendingWork = work
  }

  advance(ms: number): Promise<void> {
    if (this.mode === 'real') {
      throw new Error(
        "Only a virtual clock can be advanced: createSandbox({ clock: 'virtual' }), or sandbox --clock virtual.",
      )
    }
    if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0) {
      throw new Error('clock.advance(ms) takes a number of milliseconds, 0 or more.')
    }
    const target = this.#target + ms
    this.#target = target
    this.#advancing = this.#advancing.then(() => this.#advanceTo(target))
    return this.#advancing
  }

  close(): void {
    this.#closed = true
    this.#queue.clear()
    clearTimeout(this.#timeout)
  }

  async #advanceTo(target: number): Promise<void> {
    await this.#finishWork()
    for (let timer = this.#queue.take(target); timer !== undefined; timer = this.#queue.take(target)) {
      this.#virtualNow = Math.max(this.#virtualNow, timer.due)
      timer.run()
      await this.#finishWork()
    }
    this.#virtualNow = target
    this.#onMove()
  }

  /** Waits for everything that a timer has begun and that needs no further advance of the clock. */
  async #finishWork(): Promise<void> {
    await new Promise<void>((resolve) => {
      realImmediate(resolve)
    })
    await this.#pendingWork()
  }

  /** One timeout for the whole queue, because thousands of payments wait at once. */
  #setTimeout(): void {
    const due = this.#queue.nextDue()
    if (due === undefined || due >= this.#timeoutDue) return
    clearTimeout(this.#timeout)
    this.#timeoutDue = due
    const delay = Math.min(Math.max(0, due - this.monotonic()), LONGEST_TIMEOUT_MS)
    this.#timeout = setTimeout(() => this.#runDueTimers(), Math.ceil(delay))
    this.#timeout.unref()
  }

  #runDueTimers(): void {
    this.#timeoutDue = Number.POSITIVE_INFINITY
    const time = this.monotonic()
    for (let timer = this.#queue.take(time); timer !== undefined; timer = this.#queue.take(time)) timer.run()
    if (!this.#closed) this.#setTimeout()
  }
}

export interface Timer {
  cancel(): void
}

interface Entry {
  readonly due: number
  readonly order: number
  readonly run: () => void
}

/** Equal times keep the order in which they were set, so that a run on a virtual clock repeats. */
class TimerQueue {
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
