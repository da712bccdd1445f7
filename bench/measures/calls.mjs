// @ts-check
import { startGateway, WorkerProcess } from '../support/processes.mjs'
import { interleaved } from '../support/stats.mjs'

/**
 * Measures blocks of calls of several contenders in interleaved rounds. Every life starts the contenders
 * anew, since one and the same process may be lucky or not with what the compiler makes of it.
 *
 * @param {{ contenders: readonly string[], block: object, lives: number, rounds: number, warmUps: number }} plan
 * @returns {Promise<Record<string, { cpuMicros: number, perSecond: number }[]>>} by contender, in order of rounds
 */
export async function measureCalls({ contenders, block, lives, rounds, warmUps }) {
  /** @type {Record<string, { cpuMicros: number, perSecond: number }[]>} */
  const seen = Object.fromEntries(contenders.map((name) => [name, []]))
  for (let life = 0; life < lives; life++) {
    const { gateway, origin } = await startGateway()
    const workers = new Map(
      contenders.map((name) => [name, new WorkerProcess('workers/calls.mjs', { args: [name, origin] })]),
    )
    await interleaved(warmUps + rounds, contenders, async (name, round) => {
      const result = await workers.get(name)?.ask(block)
      if (round >= warmUps) seen[name]?.push(result)
    })
    for (const worker of workers.values()) await worker.end()
    await gateway.end()
  }
  return seen
}

/** @param {boolean} quick */
export const effort = (quick) =>
  quick ? { lives: 1, rounds: 3, warmUps: 1 } : { lives: 3, rounds: 7, warmUps: 2 }
