import { WorkerProcess } from '../support/processes.mjs'
import { merchantsOf } from './platform.mjs'
import { percentile } from './support.mjs'

const sleep = (ms) => new Promise((r) => setTimeout(r, ms))
const gateway = new WorkerProcess('scale/workers/gateway.mjs')
const { origin } = await gateway.answer()
const [m] = merchantsOf(origin, 1)
await gateway.ask({ settledBelow: 1 })
await m.client.payins.retrieve('warm-0')
await m.receiver.receive(m.pathOf('warm-0'))
const at = new Map()
const waits = []
const recv = []
for (let n = 1; n <= 100; n++)
  m.client.payins
    .waitFor(`w-${n}`, { maxWaitMs: 1e6 })
    .then(() => at.has(n) && waits.push(performance.now() - at.get(n)))
await sleep(15000)
await gateway.ask({ settledBelow: 1e9 })
for (let n = 1; n <= 30; n++) {
  at.set(n, performance.now())
  m.receiver.receive(m.pathOf(`w-${n}`)).then(() => recv.push(performance.now() - at.get(n)))
  await sleep(500)
}
await sleep(3000)
console.log(
  'receive',
  percentile(recv, 0.5),
  percentile(recv, 0.99),
  'wait',
  percentile(waits, 0.5),
  percentile(waits, 0.99),
  waits.length,
)
await gateway.end()
process.exit()
