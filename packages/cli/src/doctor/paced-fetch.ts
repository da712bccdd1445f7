import pThrottle from 'p-throttle'
import type { Agent } from 'undici'
import type { Question, Reply } from '../answer.js'
import { newAgent, sendQuestion } from '../send-question.js'

/** All the doctor's requests to the gateway: below its rate limit, and counted where they are answered. */
export interface PacedFetch {
  /** For clients. */
  readonly fetch: typeof globalThis.fetch
  ask(base: URL, question: Question): Promise<Reply>
  /** Sends two at once. @returns whether exactly one was refused (429); undefined when one got no answer. */
  refusesTwoAtOnce(base: URL, question: Question): Promise<boolean | undefined>
  readonly counts: { readonly answered: number; readonly refused: number }
}

/** Eight a second: below ten by any way of counting, an evenly spaced one included. */
const gapMs = 125
export const timeoutMs = 10_000

export function pacedFetch({ fetch = globalThis.fetch, send = sendQuestion } = {}): PacedFetch {
  const counts = { answered: 0, refused: 0 }
  let agent: Promise<Agent> | undefined
  // Loaded before the wait, because loading takes longer than a gap.
  const load = () => (agent ??= newAgent())
  const turn = pThrottle({ limit: 1, interval: gapMs, strict: true })(() => {})
  const sent = async (agent: Agent, base: URL, question: Question) => {
    const reply = await send(base, question, { agent, timeoutMs })
    if (reply.kind === 'answered') counts.answered++
    return reply
  }
  return {
    counts,
    fetch: async (input, init) => {
      const dispatcher = await load()
      await turn()
      const response = await fetch(input, Object.assign<RequestInit, object>({ ...init }, { dispatcher }))
      counts.answered++
      if (response.status === 429) counts.refused++
      return response
    },
    async ask(base, question) {
      const agent = await load()
      await turn()
      const reply = await sent(agent, base, question)
      if (isLimited(reply)) counts.refused++
      return reply
    },
    async refusesTwoAtOnce(base, question) {
      const agent = await load()
      // A turn for each, so that with those before they make no more than ten in a second.
      await Promise.all([turn(), turn()])
      const replies = await Promise.all([sent(agent, base, question), sent(agent, base, question)])
      // The finding on the connection says why.
      if (replies.some(({ kind }) => kind === 'none')) return undefined
      return replies.filter(isLimited).length === 1
    },
  }
}

function isLimited(reply: Reply): boolean {
  return reply.kind === 'answered' && reply.status === 429
}
