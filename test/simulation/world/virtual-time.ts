import type { Entry, Scheduler } from './scheduler.js'

// Of the real world, for whoever measures a simulation.
export const realNow = performance.now.bind(performance)

/** What `setTimeout` gives: as much of Node's `Timeout` as programs use. */
class VirtualTimer {
  readonly #start: () => Entry
  #entry: Entry

  constructor(start: () => Entry) {
    this.#start = start
    this.#entry = start()
  }

  cancel(): void {
    this.#entry.run = undefined
  }
  refresh(): this {
    this.cancel()
    this.#entry = this.#start()
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return true
  }
}

type Task = (...args: unknown[]) => void

/**
 * Puts the clocks and timers of the machine whose program runs in the place of this process's own, and its random
 * numbers too. For good: a process that simulates does nothing else.
 */
export function installVirtualTime(current: () => Scheduler): void {
  const cancel = (timer: unknown) => {
    if (timer instanceof VirtualTimer) timer.cancel()
  }
  const start = (task: Task, ms: number, args: unknown[]) => {
    const scheduler = current()
    const { machine } = scheduler
    // As Node does: whole milliseconds, and never none.
    const wholeMs = Math.max(1, Math.trunc(Number.isFinite(ms) ? ms : 1))
    return scheduler.schedule(machine, machine.trueMs(wholeMs), () => task(...args), true)
  }
  const RealDate = globalThis.Date
  const wallNow = () => current().machine.wall(current().now)
  class VirtualDate extends RealDate {
    constructor(...args: [] | [number | string | Date]) {
      if (args.length === 0) super(wallNow())
      else super(...args)
    }
    static override now(): number {
      return wallNow()
    }
  }
  put(globalThis, {
    Date: VirtualDate,
    setTimeout: (task: Task, ms = 1, ...args: unknown[]) => new VirtualTimer(() => start(task, ms, args)),
    clearTimeout: cancel,
    setInterval: (task: Task, ms = 1, ...args: unknown[]) => {
      const timer = new VirtualTimer(() => start(again, ms, args))
      function again() {
        timer.refresh()
        task(...args)
      }
      return timer
    },
    clearInterval: cancel,
    setImmediate: (task: Task, ...args: unknown[]) =>
      new VirtualTimer(() => current().schedule(current().machine, 0, () => task(...args), true)),
    clearImmediate: cancel,
  })
  put(performance, { now: () => current().machine.monotonic(current().now) })
  put(Math, { random: () => current().machine.random.fraction() })
  put(globalThis.crypto, { randomUUID: () => current().machine.random.uuid() })
}

function put(target: object, members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(target, name, { value, configurable: true, writable: true })
  }
}
