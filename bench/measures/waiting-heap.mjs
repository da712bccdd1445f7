// @ts-check
import { answerOf, startGateway } from '../support/processes.mjs'
import { interleaved, summary } from '../support/stats.mjs'

/** Heap for each of 100,000 calls that wait for a permit. @param {{ quick: boolean }} options */
export async function measureWaitingHeap({ quick }) {
  const calls = quick ? 10_000 : 100_000
  const { gateway, origin } = await startGateway()
  /** @type {Record<string, number[]>} */
  const seen = { create: [], retrieve: [] }
  await interleaved(quick ? 1 : 5, Object.keys(seen), async (call) => {
    const run = { args: [origin, call, String(calls)], execArgv: ['--expose-gc'] }
    const { bytes } = await answerOf('workers/waiting-heap.mjs', run)
    seen[call]?.push(bytes)
  })
  await gateway.end()
  return Object.entries(seen).map(([call, bytes]) => ({
    what: `heap for each of ${calls.toLocaleString('en')} waiting calls, ${call}`,
    unit: ' B',
    atMost: 4000,
    ...summary(bytes),
  }))
}
