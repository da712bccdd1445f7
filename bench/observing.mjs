// @ts-check
// What it costs that somebody watches: CPU for each create, against nobody.
// node bench/observing.mjs [--quick] [--against FOLDER]
// FOLDER is another built checkout, whose client is measured in the same rounds with nobody watching.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { endAll, startGateway, WorkerProcess } from './support/processes.mjs'
import { interleaved, ratios, summary } from './support/stats.mjs'
import { table } from './support/table.mjs'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, against: { type: 'string' } },
})
const { quick, against } = values
const here = new URL('../dist/index.js', import.meta.url).href

/** @type {Record<string, readonly [watcher: string, entry: string]>} */
const contenders = {
  nobody: ['nobody', here],
  // The same once more: what the difference between two equal things comes to.
  'nobody, once more': ['nobody', here],
  'listeners on every channel': ['listeners', here],
  'a logger that drops its lines': ['drops', here],
  'a logger that writes all of them': ['writes', here],
}
if (against !== undefined) {
  contenders['nobody, the other build'] = ['nobody', pathToFileURL(resolve(against, 'dist/index.js')).href]
}

// Short blocks in many rounds: what else runs on the machine hits blocks that follow each other alike.
const plan = quick ? { lives: 1, rounds: 20, warmUps: 5 } : { lives: 8, rounds: 80, warmUps: 15 }
const block = { times: 400, inFlight: 16 }
const names = Object.keys(contenders)
/** @type {Record<string, number[]>} */
const seen = Object.fromEntries(names.map((name) => [name, []]))
try {
  // Each life starts every process anew: one and the same may be lucky with what the compiler makes of it.
  for (let life = 0; life < plan.lives; life++) {
    process.stderr.write(`life ${life + 1} of ${plan.lives} …\n`)
    const { gateway, origin } = await startGateway()
    const workers = new Map(
      Object.entries(contenders).map(([name, [watcher, entry]]) => {
        return [name, new WorkerProcess('workers/observing.mjs', { args: [watcher, origin, entry] })]
      }),
    )
    await interleaved(plan.warmUps + plan.rounds, names, async (name, round) => {
      const micros = await workers.get(name)?.ask(block)
      if (round >= plan.warmUps) seen[name]?.push(micros)
    })
    for (const worker of workers.values()) await worker.end()
    await gateway.end()
  }
} catch (error) {
  process.exitCode = 1
  console.error('it could not be measured:', error)
  await endAll()
}

const nobody = seen.nobody ?? []
const rows = names.flatMap((name) => {
  const micros = seen[name] ?? []
  const ratio = ratios(micros, nobody)
  return name === 'nobody'
    ? [{ what: 'CPU for a create, nobody watches', unit: ' µs', ...summary(micros) }]
    : [{ what: `${name} / nobody (± ${notch(ratio)})`, ...summary(ratio) }]
})
console.log(table(rows))

/** Within which the median would fall again, 95 times of a hundred. @param {readonly number[]} values */
function notch(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (/** @type {number} */ part) => sorted[Math.round(part * (sorted.length - 1))] ?? Number.NaN
  return ((1.57 * (at(0.75) - at(0.25))) / Math.sqrt(sorted.length)).toFixed(3)
}
