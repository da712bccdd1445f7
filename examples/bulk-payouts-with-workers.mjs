// @ts-check
// Sends many payouts by a queue in Redis, or in PostgreSQL with STORE=postgres: the workers may be in any number of
// processes, and each may be killed at any moment. Always in the sandbox, because this sends money.
import { randomUUID } from 'node:crypto'
import { GatewayClient, money } from 'merchant-gateway'
import { paymentQueue, paymentWorker } from 'merchant-gateway/bullmq'
import { createSandbox } from 'merchant-gateway-sandbox'

const { REDIS_URL, DATABASE_URL, STORE } = process.env
const connection =
  STORE === 'postgres'
    ? (DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres')
    : (REDIS_URL ?? 'redis://127.0.0.1:6379')
// A name of its own for each run here; yours has one name for good.
const name = `example-${randomUUID()}`

const sandbox = createSandbox({ settleAfterMs: 200 })
const client = new GatewayClient(sandbox.clientOptions())

/** Your database, read as it is sent. @param {number} count */
async function* withdrawals(count) {
  for (let number = 1; number <= count; number++) {
    yield {
      idPayout: `withdrawal-${number}`,
      paymentRequested: { money: money(`${number}.50`, 'EUR') },
      paymentMethod: {
        paymentMethodCode: 'BANK_TRANSFER',
        paymentOperatorCode: 'HARBOUR',
        // The third has no account.
        account: { accountName: 'Jana Example', ...(number !== 3 && { accountNumber: `000123-${number}` }) },
      },
    }
  }
}

// migrate: on PostgreSQL, BullMQ's tables are made; in production a step of your deployment does that once.
const queue = await paymentQueue(client, 'payout', { connection, name, migrate: true })
const first = await queue.addAll(withdrawals(12))
console.log(`Added: ${first.added} of ${first.given}`)
const again = await queue.addAll(withdrawals(12))
console.log(`Added again: ${again.added} of ${again.given}`)

// Impatient, to be quick here; leave job out in production.
const job = { firstPollMs: 200, longestPollMs: 500 }
const worker = await paymentWorker(client, 'payout', { connection, name, job, keepDoneMs: 60_000 })

for (;;) {
  const { total, done, stopped } = await queue.progress()
  if (done + stopped === total) break
  await new Promise((resolve) => setTimeout(resolve, 100))
}

let paid = 0
for await (const line of queue.report()) if (line.paid) paid++
console.log(`Paid: ${paid}`)
for await (const { idPayout, problem } of queue.refused()) {
  console.log(`Needs a person: ${idPayout}, ${problem.because} (${problem.code})`)
}
console.log(`Payouts at the gateway: ${sandbox.payouts.size}`)

await worker.close()
await queue.close()
await client.close()
await sandbox.close()
