import pThrottle from 'p-throttle'
import type { Agent } from 'undici'

/** The fetch of all the doctor's requests: counts them, and stays below the gateway's rate limit. */
export interface PacedFetch {
  readonly fetch: typeof globalThis.fetch
  /** Sends two at once, without the gap between them. @returns whether exactly one of them was refused. */
  refusesTwoAtOnce(url: string, init: RequestInit): Promise<boolean>
  readonly counts: { readonly sent: number; readonly refused: number }
}

/** Eight a second: below ten by any way of counting, an evenly spaced one included. */
const gapMs = 125

export function pacedFetch(fetch: typeof globalThis.fetch = globalThis.fetch): PacedFetch {
  const counts = { sent: 0, refused: 0 }
  // Without the proxy that the environment may name for fetch, because the client uses none: the proxy could
  // read tokens, and would not show whether the client reaches the gateway.
  let withoutProxy: Promise<Agent> | undefined
  // Loaded before the wait, because loading takes longer than a gap.
  const load = () => (withoutProxy ??= import('undici').then(({ Agent }) => new Agent()))
  const turn = pThrottle({ limit: 1, interval: gapMs, strict: true })(() => {})
  const send = (dispatcher: Agent, input: string | URL | Request, init?: RequestInit) => {
    counts.sent++
    return fetch(input, Object.assign<RequestInit, object>({ ...init }, { dispatcher }))
  }
  return {
    counts,
    fetch: async (input, init) => {
      const dispatcher = await load()
      await turn()
      const response = await send(dispatcher, input, init)
      if (response.status === 429) counts.refused++
      return response
    },
    async refusesTwoAtOnce(url, init) {
      const dispatcher = await load()
      // A turn for each, so that with those before they make no more than ten in a second.
      await Promise.all([turn(), turn()])
      const answers = await Promise.all([send(dispatcher, url, init), send(dispatcher, url, init)])
      await Promise.all(answers.map(({ body }) => body?.cancel()))
      return answers.filter(({ status }) => status === 429).length === 1
    },
  }
}
