/**
 * Waits for so long, or until the signal fires, or until `sooner` is settled, whichever comes first. Leaves no
 * timer and no listener; whoever waits looks at the signal afterwards.
 */
export function wait(ms: number, signal: AbortSignal, sooner?: Promise<unknown>): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.min(Math.ceil(ms), 2 ** 31 - 1))
    signal.addEventListener('abort', end)
    sooner?.then(end, end)
  })
}
