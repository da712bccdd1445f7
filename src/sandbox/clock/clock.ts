import { type Timer, TimerQueue } from './timer-queue.js'

/**
 * The sandbox's own time: tokens expire, rate windows pass, payments settle and callbacks are sent again
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
  /** `real` follows the machine's clock; `virtual` stands still until it is turned. */
  readonly mode: 'real' | 'virtual'
  /** Milliseconds since 1970, by this clock. */
  now(): number
  /**
   * Moves a virtual clock on by `ms` milliseconds and runs everything that falls due on the way, in order.
   * Waits for the callbacks that this sends (and for their repetitions within `ms`) to be answered, so a
   * callback's receiver must not wait for the clock to move.
   *
   * @throws Error in real mode, or when `ms` is not a finite number of at least 0.
   */
  advance(ms: number): Promise<void>
}

// Kept from before anybody could replace it by a fake: turning the virtual clock needs the real one.
const realImmediate = globalThis.setImmediate
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** The clock with what the sandbox itself needs of it. */
export class Clock implements SandboxClock {
  readonly mode: 'real' | 'virtual'
  readonly #queue = new TimerQueue()
  readonly #offset: number
  #virtualNow: number
  #target: number
  #turning: Promise<void> = Promise.resolve()
  #underWay: () => Promise<void> = async () => {}
  #alarm: NodeJS.Timeout | undefined
  #alarmDue = Number.POSITIVE_INFINITY
  #closed = false
  #skewMs = 0
  #unskew: Timer | undefined

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

  /** The same as long as nothing makes it wrong. */
  withoutSkew(): number {
    return this.mode === 'virtual' ? this.#virtualNow : Date.now() + this.#offset
  }

  /** Whether it is the machine's own time. */
  get isOfTheMachine(): boolean {
    return this.mode === 'real' && this.#offset === 0
  }

  /** Shows a wrong time for `forMs`: `ms` ahead, or behind when negative. Timers are not touched. */
  skew(ms: number, forMs = Number.POSITIVE_INFINITY): void {
    this.#unskew?.cancel()
    this.#skewMs = ms
    this.#unskew = forMs === Number.POSITIVE_INFINITY ? undefined : this.schedule(forMs, () => this.skew(0))
  }

  /** A time that never jumps, for measuring spans: rate windows and timers. */
  monotonic(): number {
    return this.mode === 'virtual' ? this.#virtualNow : performance.now()
  }

  /** Runs `task` after `delayMs`. It does not keep the process alive. */
  schedule(delayMs: number, task: () => void): Timer {
    if (this.#closed) return { cancel() {} }
    const timer = this.#queue.add(this.monotonic() + delayMs, task)
    if (this.mode === 'real') this.#setAlarm()
    return timer
  }

  /** Resolves after `ms`; never, when the sandbox is closed before. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.schedule(ms, resolve))
  }

  /** What `advance` waits for after every timer that it runs. */
  waitsFor(underWay: () => Promise<void>): void {
    this.#underWay = underWay
  }

  advance(ms: number): Promise<void> {
    if (this.mode === 'real') {
      throw new Error("Only a virtual clock can be advanced: createSandbox({ clock: 'virtual' }).")
    }
    if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0) {
      throw new Error('clock.advance(ms) takes a number of milliseconds, 0 or more.')
    }
    const target = this.#target + ms
    this.#target = target
    this.#turning = this.#turning.then(() => this.#turnTo(target))
    return this.#turning
  }

  close(): void {
    this.#closed = true
    this.#queue.clear()
    clearTimeout(this.#alarm)
  }

  async #turnTo(target: number): Promise<void> {
    await this.#settled()
    for (let timer = this.#queue.take(target); timer !== undefined; timer = this.#queue.take(target)) {
      this.#virtualNow = Math.max(this.#virtualNow, timer.due)
      timer.run()
      await this.#settled()
    }
    this.#virtualNow = target
  }

  /** Lets what a timer began come as far as it can without the clock moving. */
  async #settled(): Promise<void> {
    await new Promise<void>((resolve) => {
      realImmediate(resolve)
    })
    await this.#underWay()
  }

  /** One timeout for the whole queue, because thousands of payments wait at once. */
  #setAlarm(): void {
    const due = this.#queue.nextDue()
    if (due === undefined || due >= this.#alarmDue) return
    clearTimeout(this.#alarm)
    this.#alarmDue = due
    const delay = Math.min(Math.max(0, due - this.monotonic()), LONGEST_TIMEOUT_MS)
    this.#alarm = setTimeout(() => this.#ring(), Math.ceil(delay))
    this.#alarm.unref()
  }

  #ring(): void {
    this.#alarmDue = Number.POSITIVE_INFINITY
    const time = this.monotonic()
    for (let timer = this.#queue.take(time); timer !== undefined; timer = this.#queue.take(time)) timer.run()
    if (!this.#closed) this.#setAlarm()
  }
}
