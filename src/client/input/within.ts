/**
 * Runs somebody else's function for so long and no longer, or until the caller's signal fires; its own signal fires
 * then too. The function may throw, reject, or never end.
 */
export function within<T>(
  ms: number,
  late: () => Error,
  run: (signal: AbortSignal) => T | PromiseLike<T>,
  caller?: AbortSignal,
): Promise<T> {
  const controller = new AbortController()
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', end)
    }
    const end = () => {
      leave()
      const error = late()
      controller.abort(error)
      reject(error)
    }
    const timer = setTimeout(end, ms)
    caller?.addEventListener('abort', end)
    if (caller?.aborted) end()
    Promise.resolve()
      .then(() => run(controller.signal))
      .then(resolve, reject)
      .finally(leave)
  })
}
