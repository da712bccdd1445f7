import { setTimeout as wait } from 'node:timers/promises'

/** A fetch for all of the doctor's requests, that counts them and stays below the gateway's limit. */
export interface Watch {
  readonly fetch: typeof globalThis.fetch
  readonly counts: { readonly sent: number; readonly refused: number }
}

/** Eight a second: below ten by any way of counting, an evenly spaced one included. */
const gapMs = 125

export function watchedFetch(fetch: typeof globalThis.fetch = globalThis.fetch): Watch {
  const counts = { sent: 0, refused: 0 }
  let nextAt = 0
  return {
    counts,
    fetch: async (input, init) => {
      const now = performance.now()
      const at = Math.max(now, nextAt)
      nextAt = at + gapMs
      if (at > now) await wait(at - now)
      counts.sent++
      const response = await fetch(input, init)
      if (response.status === 429) counts.refused++
      return response
    },
  }
}
