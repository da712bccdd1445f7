// @ts-check
import { ratios, summary } from '../support/stats.mjs'
import { effort, measureCalls } from './calls.mjs'

/** Calls a second at 64 in flight. @param {{ quick: boolean }} options */
export async function measureThroughput({ quick }) {
  const rows = []
  for (const call of ['create', 'retrieve']) {
    const block = { call, inFlight: 64, times: quick ? 1000 : 10_000 }
    const seen = await measureCalls({ contenders: ['client', 'undici-request'], block, ...effort(quick) })
    const rate = (/** @type {string} */ name) => (seen[name] ?? []).map(({ perSecond }) => perSecond)
    const busy = (seen.client ?? []).map(({ cpuMicros, perSecond }) => (cpuMicros * perSecond) / 1e6)
    const what = `calls a second, ${call}, 64 in flight`
    rows.push(
      {
        what: `${what}: client / undici request`,
        atLeast: 0.85,
        ...summary(ratios(rate('client'), rate('undici-request'))),
      },
      // Well under one, and the server is measured and not the client.
      { what: `${what}: cores that the client keeps busy`, ...summary(busy) },
    )
  }
  return rows
}
