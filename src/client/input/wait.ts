export interface Ending {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export const notInTime = Symbol('not in time')

const longestTimerMs = 2 ** 31 - 1

/** Waits for a promise, for so long and no longer, or until one of the endings fires. Leaves no timer and no listener. */
export function inTime<T>(
  promise: PromiseLike<T>,
  ms: number,
  ...endings: readonly (Ending | undefined)[]
): Promise<T | typeof notInTime> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      for (const ending of endings) ending?.removeEventListener('abort', end)
    }
    const end = () => {
      leave()
      resolve(notInTime)
    }
    const timer = setTimeout(end, Math.min(Math.ceil(ms), longestTimerMs))
    for (const ending of endings) ending?.addEventListener('abort', end)
    promise.then(
      (value) => {
        leave()
        resolve(value)
      },
      (error) => {
        leave()
        reject(error)
      },
    )
    if (endings.some((ending) => ending?.aborted === true)) end()
  })
}

/** Waits for so long, or until the signal fires or `sooner` settles. */
export async function wait(
  ms: number,
  signal: AbortSignal,
  sooner: PromiseLike<unknown> = new Promise(() => {}),
): Promise<void> {
  if (ms <= 0 || signal.aborted) return
  await inTime(sooner, ms, signal).catch(() => undefined)
}

/** Runs a function that may throw, reject or never end, for so long and no longer; its own signal fires then. */
export async function within<T>(
  ms: number,
  late: () => Error,
  run: (signal: AbortSignal) => T | PromiseLike<T>,
  caller?: AbortSignal,
): Promise<T> {
  const controller = new AbortController()
  const running = Promise.resolve().then(() => run(controller.signal))
  const result = await inTime(running, ms, caller)
  if (result !== notInTime) return result
  const error = late()
  controller.abort(error)
  throw error
}
