// @ts-check
// What the client costs beside undici alone: npm run bench -- [--quick] [--only NAME].
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { measureCpu } from './measures/cpu.mjs'
import { measureGoodput } from './measures/goodput.mjs'
import { measureImport } from './measures/import-time.mjs'
import { measureThroughput } from './measures/throughput.mjs'
import { measureWaitingHeap } from './measures/waiting-heap.mjs'
import { endAll } from './support/processes.mjs'
import { table } from './support/table.mjs'

/** @type {Record<string, (options: { quick: boolean }) => Promise<import('./support/table.mjs').Row[]>>} */
const measures = {
  cpu: measureCpu,
  throughput: measureThroughput,
  heap: measureWaitingHeap,
  import: measureImport,
  goodput: measureGoodput,
}

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
})
const { quick, only } = values
if (only !== undefined && !Object.hasOwn(measures, only)) {
  console.error(`--only takes one of ${Object.keys(measures).join(', ')}`)
  process.exit(1)
}

console.log(`Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} cores`)
console.log('Other work on the machine moves every figure; ratios are of things measured in turn.\n')
const rows = []
for (const [name, measure] of Object.entries(measures)) {
  if (only !== undefined && name !== only) continue
  process.stderr.write(`measuring ${name} …\n`)
  try {
    rows.push(...(await measure({ quick })))
  } catch (error) {
    process.exitCode = 1
    console.error(`${name} could not be measured:`, error)
    await endAll()
  }
}
console.log(table(rows))
