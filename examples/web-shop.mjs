// @ts-check
// A web shop in one file: PostgreSQL, callbacks, refunds, any number of processes. `node web-shop.mjs migrate` makes its
// tables, and with PORT it is one process of the shop, both at the gateway that the environment names. All processes
// have the same GATEWAY_CALLBACK_SECRET (`openssl rand -hex 32`). Without
// `migrate` and PORT, web-shop/try-it.mjs tries it out: a sandbox, four processes, customers.
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { createPostgresBackend, Queue, Worker } from 'bullmq'
import { GatewayClient, idOf, isGatewayError, isPaid, money, refundId, statusOf } from 'merchant-gateway'
import {
  checkWorker,
  jobOptions,
  paymentData,
  paymentProcessor,
  wake,
  workerOptions,
} from 'merchant-gateway/bullmq'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { postgresDedupe, postgresRateLimit, schemaSql } from 'merchant-gateway/postgres'
import pg from 'pg'

const { DATABASE_URL = 'postgres://postgres@127.0.0.1:5432/postgres', SHOP_SCHEMA = 'web_shop' } = process.env
const { PORT, PUBLIC_URL = `http://127.0.0.1:${PORT}` } = process.env
const connection = { connectionString: DATABASE_URL, schema: `${SHOP_SCHEMA}_queue` }
const pool = new pg.Pool({ connectionString: DATABASE_URL, options: `-c search_path=${SHOP_SCHEMA}`, max: 5 })
pool.on('error', (error) => console.error(error.message)) // else pg ends the process when the server restarts

if (process.argv[2] === 'migrate') await migrate()
else await (PORT === undefined ? import('./web-shop/try-it.mjs') : shop())

/** One process of the shop. */
async function shop() {
  const client = GatewayClient.fromEnv({ rateLimit: postgresRateLimit({ connection: pool, processes: 4 }) })
  const queue = new Queue('payins', { connection }, createPostgresBackend)
  const callbacks = new CallbackReceiver({
    client,
    publicUrl: `${PUBLIC_URL}/callbacks`,
    dedupe: postgresDedupe({ connection: pool }),
    // A worker looks, in whatever process.
    wake: async ({ idPayin }) => idPayin !== undefined && (await wake(queue, idPayin)),
    onPayin: onChange, // where no worker will look: it has it at this moment, or a person has to look first
    onPayout: async (payout, { idPayout }) =>
      await pool.query('UPDATE orders SET refund = $2 WHERE refund_id = $1', [idPayout, statusOf(payout)]),
  })
  const receive = callbacks.node()
  const processor = paymentProcessor(client, 'payin', { onCreated, onChange })
  const worker = new Worker('payins', processor, { connection, ...workerOptions }, createPostgresBackend)
  checkWorker(worker)
  queue.on('error', (error) => console.error(error.message))
  worker.on('error', (error) => console.error(error.message))
  worker.on('failed', (job, error) => console.error(job?.id, error.message))
  await addStored()
  const adding = setInterval(() => addStored().catch((error) => console.error(error.message)), 2_000)
  const server = createServer(answer).listen(Number(PORT), '127.0.0.1')
  process.once('SIGTERM', async () => {
    clearInterval(adding)
    server.close()
    await callbacks.drain()
    for (const one of [worker, queue, client]) await one.close()
    await pool.end()
    process.exit()
  })

  /** What was stored and is not created: an order whose process was killed before it was added, too. */
  async function addStored() {
    const { rows } = await pool.query('SELECT id FROM orders WHERE "payTo" IS NULL AND status IS NULL')
    await queue.addBulk(rows.map(({ id }) => jobOf(id)))
  }

  /** The cart's id is the order's and the payin's, so a double click is one order, and its job is added once. @param {string} idPayin */
  function jobOf(idPayin) {
    const payin = {
      idPayin,
      paymentRequested: { money: money('10.50', 'EUR') },
      paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
    }
    return { name: 'payin', data: paymentData(client, payin), opts: jobOptions(payin) }
  }

  /** For the page that waits. @param {{ idPayin: string, paymentMethodResponse?: { reference?: string | null } }} created */
  async function onCreated({ idPayin, paymentMethodResponse }) {
    await pool.query('UPDATE orders SET "payTo" = $2 WHERE id = $1', [
      idPayin,
      paymentMethodResponse?.reference,
    ])
  }

  /** One statement, so one transaction, and a second call with the same status changes nothing. @param {import('merchant-gateway').Payin} payin */
  async function onChange(payin) {
    const sql = `WITH changed AS (
      UPDATE orders SET status = $2, paid = paid OR $3 WHERE id = $1 AND status IS DISTINCT FROM $2 RETURNING id
    ) INSERT INTO shipments SELECT id FROM changed WHERE $3 ON CONFLICT DO NOTHING`
    await pool.query(sql, [idOf(payin), statusOf(payin), isPaid(payin)])
  }

  /** @param {string} id */
  async function order(id) {
    await pool.query("INSERT INTO orders VALUES ($1, '10.50') ON CONFLICT DO NOTHING", [id])
    await queue.addBulk([jobOf(id)])
    for (let waits = 0; waits < 200; waits++) {
      const { rows } = await pool.query('SELECT FROM orders WHERE id = $1 AND "payTo" IS NOT NULL', [id])
      if (rows.length > 0) return
      await pause(100)
    }
    throw new Error('the payin is not created yet') // the customer tries again; the job goes on
  }

  /** All of it, once: number 1 is one refund, whoever asks and how often. @param {string} id */
  async function refund(id) {
    const sql = `UPDATE orders SET refund_id = $2, refund = coalesce(refund, 'REQUESTED') WHERE id = $1 RETURNING amount, refund`
    const [found] = (await pool.query(sql, [id, refundId(id, 1)])).rows
    if (!found) return
    const all = money(found.amount, 'EUR')
    const account = { accountName: 'Jana Example', accountNumber: '000123-0123456789' } // of the customer's record
    const request = { idPayin: id, number: 1, money: all, account, paymentOperatorCode: 'HARBOUR' }
    const made = await client.payins.refund(request, { paidMoneyOf: () => all })
    // Asked for again, it shows how it stands, also where a callback was lost. What a callback has stored meanwhile stays.
    const late = 'UPDATE orders SET refund = coalesce($2, refund) WHERE id = $1 AND refund = $3'
    if (made.replayed) await pool.query(late, [id, statusOf(made), found.refund])
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async function answer(request, response) {
    const { url = '', method } = request
    if (url.startsWith('/callbacks/')) return receive(request, response)
    const [, id, action] = /^\/orders\/([\w-]+)(\/refund)?$/.exec(url) ?? []
    if (id === undefined) return response.writeHead(404).end()
    try {
      if (method === 'POST' && !action) await order(id)
      if (method === 'POST' && action) await refund(id)
      const { rows } = await pool.query('SELECT * FROM orders WHERE id = $1', [id])
      response.writeHead(rows.length ? 200 : 404).end(JSON.stringify(rows[0]))
    } catch (error) {
      // Whatever it was: the customer tries again, and the ids are the same.
      console.error(isGatewayError(error) ? error.message : 'the order failed')
      response.writeHead(503).end()
    }
  }
}

/** The tables: a step of your deployment. */
async function migrate() {
  await pool.query(`CREATE SCHEMA IF NOT EXISTS ${SHOP_SCHEMA}; ${schemaSql({ schema: SHOP_SCHEMA })}
    CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY, amount text NOT NULL, status text,
      paid boolean NOT NULL DEFAULT false, "payTo" text, refund_id text UNIQUE, refund text);
    CREATE TABLE IF NOT EXISTS shipments (id text PRIMARY KEY REFERENCES orders);`)
  const queue = new Queue('payins', { connection: { ...connection, migrate: true } }, createPostgresBackend)
  await queue.waitUntilReady()
  await queue.close()
  await pool.end()
}
