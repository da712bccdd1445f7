// @ts-check
// Payouts from an outbox in plain SQL, without a library for jobs: a row is written in the transaction that books the
// withdrawal, and workers take rows. Always in the sandbox, because this sends money.
import { randomUUID } from 'node:crypto'
import { GatewayClient, money, statusOf } from 'merchant-gateway'
import { payoutJob } from 'merchant-gateway/jobs'
import { createSandbox } from 'merchant-gateway-sandbox'
import pg from 'pg'

const connectionString = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const pool = new pg.Pool({ connectionString })
// A name of its own for each run here; yours has one name for good.
const table = `outbox_${randomUUID().replaceAll('-', '')}`
await pool.query(`
  CREATE TABLE ${table} (
    id_payout text PRIMARY KEY,
    amount text NOT NULL,
    starts integer NOT NULL DEFAULT 0,
    state jsonb,
    result text,
    run_at timestamptz NOT NULL DEFAULT now()
  )`)

const sandbox = createSandbox({ settleAfterMs: 100 })
const client = new GatewayClient(sandbox.clientOptions())
const send = payoutJob(client, { firstPollMs: 100, longestPollMs: 500 }) // quick here; leave that out in production

/** In the transaction in which you book it. @param {string} idPayout @param {string} amount */
const book = (idPayout, amount) =>
  pool.query(`INSERT INTO ${table} (id_payout, amount) VALUES ($1, $2)`, [idPayout, amount])

/** The account stays where it is, and is read when the payout is sent. @param {string} amount */
const load = (amount) => ({
  paymentRequested: { money: money(amount, 'EUR') },
  paymentMethod: {
    paymentMethodCode: 'BANK_TRANSFER',
    paymentOperatorCode: 'HARBOUR',
    account: { accountName: 'Jana Example', accountNumber: '000123-0123456789' },
  },
})

/** Takes one row and does one run of it. Whoever is killed meanwhile has counted its start, and the row is due again in a minute. */
async function runOne() {
  const { rows } = await pool.query(`
    UPDATE ${table} SET starts = starts + 1, run_at = now() + interval '1 minute'
    WHERE id_payout = (
      SELECT id_payout FROM ${table} WHERE result IS NULL AND run_at <= now()
      ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ) RETURNING id_payout, amount, starts, state`)
  const [row] = rows
  if (row === undefined) return
  const { id_payout: idPayout, amount, starts, state } = row
  const verdict = await send({ idPayout, load: () => load(amount) }, { starts, state })
  // Only where nobody has started it since: a run that took longer than its minute says nothing any more.
  const mine = 'WHERE id_payout = $1 AND starts = $2'
  if (verdict.then === 'again') {
    const sql = `UPDATE ${table} SET state = $3, run_at = now() + $4 * interval '1 millisecond' ${mine}`
    await pool.query(sql, [idPayout, starts, verdict.state, verdict.afterMs])
    return
  }
  // 'refused', 'look' and 'conflict' want a person.
  const result = verdict.then === 'done' ? statusOf(verdict.payout) : verdict.because
  await pool.query(`UPDATE ${table} SET result = $3 ${mine}`, [idPayout, starts, result])
}

await book('withdrawal-1', '25.00')
await book('withdrawal-2', '40.00')
// An answer gets lost: the run after it finds the payout under its id.
sandbox.fault({ route: 'POST /payouts/{idPayout}', action: { kind: 'drop-after' } })

const isOpen = `SELECT FROM ${table} WHERE result IS NULL`
while ((await pool.query(isOpen)).rowCount) {
  await runOne()
  await new Promise((resolve) => setTimeout(resolve, 50))
}
const { rows } = await pool.query(`SELECT id_payout, result FROM ${table} ORDER BY id_payout`)
for (const { id_payout, result } of rows) console.log(`${id_payout}: ${result}`)
console.log(`Payouts at the gateway: ${sandbox.payouts.size}`)

await pool.query(`DROP TABLE ${table}`)
await pool.end()
await client.close()
await sandbox.close()
