/**
 * Runs somebody else's function for so long and no longer; its signal fires at the limit. The function
 * may throw, reject, or never end.
 */
export function within<T>(
  ms: number,
  late: () => Error,
  run: (signal: AbortSignal) => T | PromiseLike<T>,
): Promise<T> {
  const controller = new AbortController()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = late()
      controller.abort(error)
      reject(error)
    }, ms)
    Promise.resolve()
      .then(() => run(controller.signal))
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
