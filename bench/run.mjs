// @ts-check
// What the client costs. npm run bench -- [--quick] [--only NAME]. Figures that are not quick are kept in
// bench/results/bench.json, from which node bench/results/draw.mjs draws.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { measureBehindWaits } from './measures/behind-waits.mjs'
import { measureCpu } from './measures/cpu.mjs'
import { measureFirstPayment } from './measures/first-payment.mjs'
import { measureGoodput } from './measures/goodput.mjs'
import { measureImport } from './measures/import-time.mjs'
import { measureManyClients } from './measures/many-clients.mjs'
import { measureThroughput } from './measures/throughput.mjs'
import { measureTold } from './measures/told.mjs'
import { measureConnections, measureRequests } from './measures/traffic.mjs'
import { measureWaitingHeap } from './measures/waiting-heap.mjs'
import { keep } from './results/keep.mjs'
import { endAll } from './support/processes.mjs'
import { table } from './support/table.mjs'

/** @type {Record<string, (options: { quick: boolean }) => Promise<import('./support/table.mjs').Row[]>>} */
const measures = {
  cpu: measureCpu,
  throughput: measureThroughput,
  connections: measureConnections,
  heap: measureWaitingHeap,
  requests: measureRequests,
  import: measureImport,
  goodput: measureGoodput,
  'first-payment': measureFirstPayment,
  told: measureTold,
  'behind-waits': measureBehindWaits,
  'many-clients': measureManyClients,
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
    const measured = await measure({ quick })
    rows.push(...measured)
    if (!quick) keep('bench', name, measured)
  } catch (error) {
    process.exitCode = 1
    console.error(`${name} could not be measured:`, error)
    await endAll()
  }
}
console.log(table(rows))
