// @ts-check
// One of the twenty processes that have 1,000,000 open waits between them: 500 merchants, 100 waits each.
import { WorkerProcess } from '../support/processes.mjs'
import { sleep } from './support.mjs'

/** @param {{ quick: boolean }} options */
export async function measureWaits({ quick }) {
  const [merchants, each] = quick ? [50, 20] : [500, 100]
  const gateway = new WorkerProcess('scale/workers/gateway.mjs')
  const { origin } = await gateway.answer()
  const args = [origin, String(merchants), String(each)]
  const worker = new WorkerProcess('scale/workers/waits.mjs', { args, execArgv: ['--expose-gc'] })
  try {
    await worker.answer()
    await gateway.ask({ settledBelow: 1 })
    const { heapEach } = await worker.ask({ start: true })
    await sleep(quick ? 5000 : 90_000)
    const seconds = quick ? 5 : 30
    const [first, before] = [await worker.ask(), await gateway.ask()]
    await sleep(seconds * 1000)
    const [last, after] = [await worker.ask(), await gateway.ask()]

    await gateway.ask({ settledBelow: 1e9 })
    const count = quick ? 200 : 10_000
    const rate = quick ? 100 : 1000
    const called = await worker.ask({ callbacks: { count, rate } })
    const waits = (merchants * each).toLocaleString('en')
    const what = `${waits} waits of ${merchants} merchants in one process, callbacks arriving`
    return [
      { what: `${what}: heap for each`, value: heapEach, unit: ' B' },
      { what: `${what}: memory of the process`, value: last.rss / 2 ** 20, unit: ' MiB' },
      {
        what: `${what}: look-ups a second by polls, from the 90th to the 120th second`,
        value: (after.looks - before.looks) / seconds,
        unit: '',
      },
      {
        what: `${what}: CPU of the process, of a core`,
        value: (last.cpuMs - first.cpuMs) / (seconds * 10),
        unit: ' %',
      },
      { what: `${what}: event loop late, 99th in a hundred`, value: last.loopP99, unit: ' ms' },
      { what: `${rate} callbacks a second there: waits ended by them`, value: called.told, unit: '' },
      {
        what: `${rate} callbacks a second there: from the callback to the end of the wait, 50th in a hundred`,
        value: called.p50,
        unit: ' ms',
      },
      { what: `${rate} callbacks a second there: 99th in a hundred`, value: called.p99, unit: ' ms' },
      { what: 'waits that failed', value: called.failed, unit: '' },
    ]
  } finally {
    await worker.end()
    await gateway.end()
  }
}
