// @ts-check
import { ratios, summary } from '../support/stats.mjs'
import { effort, measureCalls } from './calls.mjs'

/** CPU of a process for each call, as process.cpuUsage has it; and how long one call takes. @param {{ quick: boolean }} options */
export async function measureCpu({ quick }) {
  const rows = []
  for (const inFlight of [1, 64]) {
    for (const call of ['create', 'retrieve']) {
      const block = { call, inFlight, times: quick ? 500 : 4000 }
      const contenders = ['client', 'undici-request', 'fetch']
      const seen = await measureCalls({ contenders, block, ...effort(quick) })
      const cpu = (/** @type {string} */ name) => (seen[name] ?? []).map(({ cpuMicros }) => cpuMicros)
      const what = `CPU, ${call}, ${inFlight} in flight`
      rows.push(
        {
          what: `${what}: client / undici request`,
          atMost: 1.5,
          ...summary(ratios(cpu('client'), cpu('undici-request'))),
        },
        { what: `${what}: fetch / undici request`, ...summary(ratios(cpu('fetch'), cpu('undici-request'))) },
        { what: `${what}: client`, unit: ' µs', ...summary(cpu('client')) },
      )
      if (inFlight > 1) continue
      const took = (/** @type {string} */ name) => (seen[name] ?? []).map(({ perSecond }) => 1000 / perSecond)
      rows.push({
        what: `latency, ${call}: client / undici request`,
        ...summary(ratios(took('client'), took('undici-request'))),
      })
    }
  }
  return rows
}
