/** How long a broadcast's end waits for a store that may be away: what it still sends has no reader. */
export const endMs = 1_000

/** Waits for what never rejects, and no longer than so; no timer is left. */
export function atMost(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    void work.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
