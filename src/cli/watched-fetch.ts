import { setTimeout as wait } from 'node:timers/promises'
import type { Agent } from 'undici'

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
  // As the client goes: straight, whatever proxy the environment names for fetch. One would read the
  // token of a gateway on this machine, and say nothing of whether the client gets through.
  let straight: Promise<Agent> | undefined
  return {
    counts,
    fetch: async (input, init) => {
      // Before the place in line: loading takes longer than a gap.
      straight ??= import('undici').then(({ Agent }) => new Agent())
      const dispatcher = await straight
      const now = performance.now()
      const at = Math.max(now, nextAt)
      nextAt = at + gapMs
      if (at > now) await wait(at - now)
      counts.sent++
      const response = await fetch(input, Object.assign<RequestInit, object>({ ...init }, { dispatcher }))
      if (response.status === 429) counts.refused++
      return response
    },
  }
}
