// @ts-check
// Sends many payouts by BullMQ over Redis, or over PostgreSQL with STORE=postgres: workers may be in any number of
// processes, and each may be killed at any moment. `node bulk-payouts-with-workers.mjs 100000` sends that many, at the
// gateway's ten a second. Always in the sandbox, because this sends money.
import { randomUUID } from 'node:crypto'
import { createPostgresBackend, Queue, Worker } from 'bullmq'
import { GatewayClient, idOf, isPaid, money } from 'merchant-gateway'
import {
  checkWorker,
  jobOptions,
  paymentData,
  paymentProcessor,
  workerOptions,
} from 'merchant-gateway/bullmq'
import { createSandbox } from 'merchant-gateway-sandbox'

const { REDIS_URL, DATABASE_URL, STORE } = process.env
const count = Number(process.argv[2] ?? 12)
// A name of its own for each run here; yours has one name for good.
const name = `example-${randomUUID()}`

const sandbox = createSandbox({ payAfterMs: 200 })
const client = new GatewayClient(sandbox.clientOptions())

/** Your database, a thousand at a time. @param {number} from */
function withdrawals(from) {
  return Array.from({ length: Math.min(1_000, count - from) }, (_, n) => {
    const number = from + n + 1
    return {
      idPayout: `withdrawal-${number}`,
      paymentRequested: { money: money(`${number}.50`, 'EUR') },
      paymentMethod: {
        paymentMethodCode: 'BANK_TRANSFER',
        paymentOperatorCode: 'HARBOUR',
        // The third has no account.
        account: { accountName: 'Jana Example', ...(number !== 3 && { accountNumber: `000123-${number}` }) },
      },
    }
  })
}

const queue = openQueue()
/** What the queue has under its id stays as it is: after a crash, add all again. */
async function addAll() {
  for (let from = 0; from < count; from += 1_000) {
    const jobs = withdrawals(from).map((payout) => ({
      name: 'payout',
      data: paymentData(client, payout),
      opts: jobOptions(payout),
    }))
    await queue.addBulk(jobs)
  }
}
await addAll()
await addAll()
console.log(`Added: ${await queue.getPrioritizedCount()} of ${count}`)

const paid = new Set()
const processor = paymentProcessor(client, 'payout', {
  // One transaction of your database, which changes nothing where it is so already.
  onChange: (payout) => isPaid(payout) && paid.add(idOf(payout)),
  // Impatient, to be quick here; leave these out in production.
  firstPollMs: 200,
  longestPollMs: 500,
})
const worker = openWorker()
checkWorker(worker)
worker.on('error', (error) => console.error(error.message))
worker.on('failed', (job, error) => console.log(`Failed: ${job?.id}, ${error.message}`))

while ((await queue.getCompletedCount()) + (await queue.getFailedCount()) < count) {
  await new Promise((resolve) => setTimeout(resolve, 100))
}
console.log(`Paid: ${paid.size}`)
for (const { id, failedReason } of await queue.getFailed()) {
  console.log(`Needs a person: ${id}, ${failedReason?.split(':')[0]}`)
}
console.log(`Payouts at the gateway: ${sandbox.payouts.size}`)

await worker.close()
await queue.obliterate({ force: true }) // here only: yours knows for thirty days what was sent
await queue.close()
await client.close()
await sandbox.close()

function openQueue() {
  if (STORE !== 'postgres') return new Queue(name, { connection: redis() })
  // migrate: BullMQ's tables are made; in production a step of your deployment does that once.
  return new Queue(name, { connection: { ...postgres(), migrate: true } }, createPostgresBackend)
}

function openWorker() {
  if (STORE !== 'postgres') return new Worker(name, processor, { connection: redis(), ...workerOptions })
  return new Worker(name, processor, { connection: postgres(), ...workerOptions }, createPostgresBackend)
}

function redis() {
  return { url: REDIS_URL ?? 'redis://127.0.0.1:6379' }
}

function postgres() {
  return { connectionString: DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres' }
}
