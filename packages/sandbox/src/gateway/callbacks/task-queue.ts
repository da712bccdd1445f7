export class TaskQueue {
  readonly #maxRunning: number
  readonly #maxWaiting: number
  #waiting: (() => Promise<void>)[] = []
  #running = 0
  #idleListeners: (() => void)[] = []

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning
    this.#maxWaiting = maxWaiting
  }

  /** Adds a task, which must not reject; false when too many wait, and then it never runs. */
  add(task: () => Promise<void>): boolean {
    if (this.#waiting.length >= this.#maxWaiting) return false
    this.#waiting.push(task)
    this.#startTasks()
    return true
  }

  clear(): void {
    this.#waiting = []
  }

  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve()
    return new Promise((resolve) => this.#idleListeners.push(resolve))
  }

  #startTasks(): void {
    while (this.#running < this.#maxRunning) {
      const task = this.#waiting.shift()
      if (task === undefined) break
      this.#running += 1
      void task().finally(() => {
        this.#running -= 1
        this.#startTasks()
      })
    }
    if (!this.#isIdle()) return
    const listeners = this.#idleListeners
    this.#idleListeners = []
    for (const resolve of listeners) resolve()
  }

  #isIdle(): boolean {
    return this.#running === 0 && this.#waiting.length === 0
  }
}
