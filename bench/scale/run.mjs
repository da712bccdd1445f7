// @ts-check
// What each part costs on the way to a platform: node bench/scale/run.mjs [--quick] [--only NAME]. Figures that are not
// quick are kept in bench/results/scale.json, from which node bench/results/draw.mjs draws.
import { parseArgs } from 'node:util'
import { keep } from '../results/keep.mjs'
import { endAll } from '../support/processes.mjs'
import { tableOf } from './support.mjs'

/** @type {Record<string, () => Promise<(options: { quick: boolean }) => Promise<import('./support.mjs').Figure[]>>>} */
const measures = {
  cluster: async () => (await import('./cluster.mjs')).measureCluster,
  budgets: async () => (await import('./budgets.mjs')).measureBudgets,
  queues: async () => (await import('./queues.mjs')).measureQueues,
  callbacks: async () => (await import('./callbacks.mjs')).measureCallbacks,
  waits: async () => (await import('./waits.mjs')).measureWaits,
  reconcile: async () => (await import('./reconcile.mjs')).measureReconcile,
}

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
})
const { quick, only } = values
if (only !== undefined && !Object.hasOwn(measures, only)) {
  console.error(`--only takes one of ${Object.keys(measures).join(', ')}`)
  process.exit(1)
}
for (const [name, load] of Object.entries(measures)) {
  if (only !== undefined && name !== only) continue
  console.log(`\n## ${name}\n`)
  try {
    const measure = await load()
    const figures = await measure({ quick })
    console.log(tableOf(figures))
    if (!quick) keep('scale', name, figures)
  } catch (error) {
    process.exitCode = 1
    console.error(`${name} could not be measured:`, error)
    await endAll()
  }
}
process.exit()
