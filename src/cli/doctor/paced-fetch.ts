import { setTimeout as wait } from 'node:timers/promises'
import type { Agent } from 'undici'

/** A fetch for all of the doctor's requests, that counts them and stays below the gateway's limit. */
export interface Watch {
  readonly fetch: typeof globalThis.fetch
  /** Two at once, without the gap between them. @returns whether one of them was refused, and one not. */
  refusesPair(url: string, init: RequestInit): Promise<boolean>
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
  // Before the place in line: loading takes longer than a gap.
  const load = () => (straight ??= import('undici').then(({ Agent }) => new Agent()))
  const place = async (gaps: number) => {
    const now = performance.now()
    const at = Math.max(now, nextAt)
    nextAt = at + gaps * gapMs
    if (at > now) await wait(at - now)
  }
  const send = (dispatcher: Agent, input: string | URL | Request, init?: RequestInit) => {
    counts.sent++
    return fetch(input, Object.assign<RequestInit, object>({ ...init }, { dispatcher }))
  }
  return {
    counts,
    fetch: async (input, init) => {
      const dispatcher = await load()
      await place(1)
      const response = await send(dispatcher, input, init)
      if (response.status === 429) counts.refused++
      return response
    },
    async refusesPair(url, init) {
      const dispatcher = await load()
      await place(2)
      // The places before it were a gap apart, so that this makes no more than ten in a second.
      const answers = await Promise.all([send(dispatcher, url, init), send(dispatcher, url, init)])
      await Promise.all(answers.map(({ body }) => body?.cancel()))
      return answers.filter(({ status }) => status === 429).length === 1
    },
  }
}
