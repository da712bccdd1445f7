// @ts-check
// Workers of many merchants in one process, over one Redis. As 'queues', each merchant has a queue and a worker with
// five places; as 'one-queue', all share a queue, and a worker with as many places; as 'places', so too, and a merchant
// has no more than five of them: what is beyond comes again at the pace of its ten a second.
import { GatewayClient, money } from 'merchant-gateway'
import { paymentQueue, paymentWorker } from 'merchant-gateway/bullmq'
import { paymentJob } from 'merchant-gateway/jobs'
import { Pool } from 'undici'
import { cpuMs, merchantOf } from '../support.mjs'

/** @type {{ url: string, origin: string, merchants: number, each: number, form: 'queues' | 'one-queue' | 'places' }} */
const { url, origin, merchants, each, form } = JSON.parse(process.argv[2] ?? '{}')
const placesOfEach = 5
const signer = { sign: async () => new Uint8Array(256) }
const dispatcher = new Pool(origin)
const clients = Array.from(
  { length: merchants },
  (_, n) =>
    new GatewayClient({
      baseUrl: `${origin}/m/${n}`,
      merchantCode: merchantOf(n),
      signer,
      dispatcher,
      allowInsecureHttp: true,
    }),
)
/** @param {number} m @param {number} n */
const payoutOf = (m, n) => ({
  idPayout: `${merchantOf(m)}-${n + 1}`,
  paymentRequested: { money: money('1.00', 'EUR') },
  paymentMethod: {
    paymentMethodCode: 'BANK_TRANSFER',
    account: { accountName: 'A', accountNumber: '1' },
    paymentOperatorCode: 'HARBOUR',
    emailAddress: 'a@shop.example',
  },
})
// Only creates are counted: nothing is followed while it is measured.
const job = { firstPollMs: 3_600_000, longestPollMs: 3_600_000 }

async function queues() {
  for (const [m, client] of clients.entries()) {
    if (each === 0) break
    const queue = await paymentQueue(client, 'payout', { connection: url })
    await queue.addAll(Array.from({ length: each }, (_, n) => payoutOf(m, n)))
    await queue.close()
  }
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (const client of clients) {
    await paymentWorker(client, 'payout', { connection: url, concurrency: placesOfEach, job })
  }
  globalThis.gc?.()
  return (process.memoryUsage().heapUsed - before) / merchants
}

async function oneQueue() {
  const { DelayedError, Queue, Worker } = await import('bullmq')
  const connection = { url, maxRetriesPerRequest: null }
  const queue = new Queue('all', { connection })
  for (let n = 0; n < each; n++) {
    await queue.addBulk(clients.map((_, m) => ({ name: 'payout', data: { m, payout: payoutOf(m, n) } })))
  }
  await queue.close()
  const send = clients.map((client) => paymentJob(client, 'payout', job))
  const underWay = clients.map(() => 0)
  const comeAt = clients.map(() => 0)
  /** @param {import('bullmq').Job} job @param {string} [token] */
  const run = async (job, token) => {
    const { m, payout, starts = 0 } = job.data
    if (form === 'places' && (underWay[m] ?? 0) >= placesOfEach) {
      comeAt[m] = Math.max(Date.now(), comeAt[m] ?? 0) + 108
      await job.moveToDelayed(comeAt[m], token)
      throw new DelayedError()
    }
    underWay[m]++
    try {
      // One that was put back was not sent: so starts are counted here.
      await job.updateData({ ...job.data, starts: starts + 1 })
      await send[m]?.(payout, { starts: starts + 1, state: undefined })
    } finally {
      underWay[m]--
    }
  }
  new Worker('all', run, { connection, concurrency: placesOfEach * merchants })
  return 0
}

const heapEach = await (form === 'queues' ? queues() : oneQueue())
process.on('message', () => process.send?.({ cpuMs: cpuMs() }))
process.on('disconnect', () => process.exit())
process.send?.({ heapEach })
