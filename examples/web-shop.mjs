// @ts-check
// A web shop in one file: PostgreSQL, callbacks, refunds, any number of processes. With PORT it is one process of the
// shop at the gateway that the environment names, `node web-shop.mjs migrate` makes its tables; without either it tries
// itself out: a sandbox, four processes, customers.
import cluster from 'node:cluster'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { GatewayClient, idOf, isGatewayError, isPaid, money, refundId, statusOf } from 'merchant-gateway'
import { paymentQueue, paymentWorker } from 'merchant-gateway/bullmq'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { schemaSql, sharedStores } from 'merchant-gateway/postgres'
import pg from 'pg'

const { DATABASE_URL = 'postgres://postgres@127.0.0.1:5432/postgres', SHOP_SCHEMA = 'web_shop' } = process.env
const processes = 4
// Impatient at a test gateway; in production the defaults are right.
const quick = { lockMs: 3_000, checkLocksMs: 1_000, job: { firstPollMs: 300 } }
const ofWorker = process.env.GATEWAY_LIVE === 'false' ? quick : {}
const connection = { postgres: DATABASE_URL, schema: `${SHOP_SCHEMA}_queue` }
const pool = new pg.Pool({ connectionString: DATABASE_URL, options: `-c search_path=${SHOP_SCHEMA}`, max: 5 })
pool.on('error', (error) => console.error(error.message)) // else pg ends the process when the server restarts

if (process.argv[2] === 'migrate') await migrate().finally(() => pool.end())
else await (process.env.PORT === undefined ? tryIt() : shop(Number(process.env.PORT)))

/** One process of the shop. @param {number} port */
async function shop(port) {
  const { TOKEN_KEY = '' } = process.env
  const { seen, ...stores } = sharedStores({ connection: pool, encryptionKeys: [TOKEN_KEY], processes })
  const client = GatewayClient.fromEnv(stores)
  const queue = await paymentQueue(client, 'payin', { connection })
  const server = createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const ownUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`
  const callbacks = new CallbackReceiver({
    client,
    publicUrl: `${process.env.PUBLIC_URL ?? ownUrl}/callbacks`,
    seen,
    wake: ({ idPayin }) => idPayin !== undefined && queue.wake(idPayin), // a worker looks, in whatever process
    onPayout: (payout, { idPayout }) =>
      pool.query('UPDATE orders SET refund = $2 WHERE refund_id = $1', [idPayout, statusOf(payout)]),
  })
  const receive = callbacks.node()
  const worker = await paymentWorker(client, 'payin', { connection, onChange, ...ofWorker })
  process.once('SIGTERM', async () => {
    server.close()
    await callbacks.drain()
    for (const one of [worker, queue, client]) await one.close()
    await pool.end()
    process.exit()
  })

  /** One statement, so one transaction, and a second call with the same status changes nothing. @param {import('merchant-gateway').Payin} payin */
  async function onChange(payin) {
    const sql = `WITH changed AS (
      UPDATE orders SET status = $2, paid = paid OR $3 WHERE id = $1 AND status IS DISTINCT FROM $2 RETURNING id
    ) INSERT INTO shipments SELECT id FROM changed WHERE $3 ON CONFLICT DO NOTHING`
    await pool.query(sql, [idOf(payin), statusOf(payin), isPaid(payin)])
  }

  /** The cart's id is the order's and the payin's, so a double click is one order. @param {string} id */
  async function order(id) {
    const payin = {
      idPayin: id,
      paymentRequested: { money: money('10.50', 'EUR') },
      paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
    }
    const transaction = await pool.connect()
    try {
      await transaction.query('BEGIN')
      const sql = 'INSERT INTO orders (id, amount) VALUES ($1, $2) ON CONFLICT DO NOTHING'
      const { rowCount } = await transaction.query(sql, [id, '10.50'])
      if (rowCount === 1) await queue.add(payin, { transaction })
      await transaction.query('COMMIT')
      transaction.release()
    } catch (error) {
      transaction.release(true) // ended, and its transaction with it
      throw error
    }
    const { paymentMethodResponse, problem } = await queue.created(id, { maxWaitMs: 20_000 })
    return { payTo: paymentMethodResponse?.reference, problem: problem?.because, by: process.pid }
  }

  /** All of it, once: number 1 is one refund, whoever asks and how often. @param {{ id: string, amount: string }} order */
  async function refund({ id: idPayin, amount }) {
    const sql = "UPDATE orders SET refund_id = $2, refund = coalesce(refund, 'REQUESTED') WHERE id = $1"
    await pool.query(sql, [idPayin, refundId(idPayin, 1)])
    const account = { accountName: 'Jana Example', accountNumber: '000123-0123456789' } // of the customer's record
    const all = money(amount, 'EUR')
    const request = { idPayin, number: 1, money: all, account, paymentOperatorCode: 'HARBOUR' }
    const made = await client.payins.refund(request, { paidMoneyOf: () => all })
    // Asked for again, it shows how it stands, also where a callback was lost.
    const status = made.replayed ? statusOf(made) : undefined
    if (status) await pool.query('UPDATE orders SET refund = $2 WHERE id = $1', [idPayin, status])
    return { idPayout: made.idPayout, refund: status }
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async function answer(request, response) {
    const [, what, id = '', action] = String(request.url).split('/')
    if (what === 'callbacks') return receive(request, response)
    try {
      const find = () => pool.query('SELECT * FROM orders WHERE id = $1', [id]).then(({ rows }) => rows[0])
      const isNew = request.method === 'POST' && action === undefined
      const found = isNew ? undefined : await find()
      if (what !== 'orders' || id === '' || (!isNew && !found)) return response.writeHead(404).end()
      const body = isNew ? await order(id) : action === 'refund' ? await refund(found) : found
      response.end(JSON.stringify(body))
    } catch (error) {
      // Whatever it was: the customer tries again, and the ids are the same.
      console.error(isGatewayError(error) ? error.message : 'the order failed')
      response.writeHead(503).end()
    }
  }
}

/** The tables: a step of your deployment. */
async function migrate(client = GatewayClient.fromEnv()) {
  await pool.query(`CREATE SCHEMA IF NOT EXISTS ${SHOP_SCHEMA}; ${schemaSql({ schema: SHOP_SCHEMA })}
    CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY, amount text NOT NULL, status text,
      paid boolean NOT NULL DEFAULT false, refund_id text UNIQUE, refund text);
    CREATE TABLE IF NOT EXISTS shipments (id text PRIMARY KEY REFERENCES orders);`)
  const queue = await paymentQueue(client, 'payin', { connection, migrate: true })
  await queue.close()
}

/** The gateway, four processes, and their customers, all at once. */
async function tryIt() {
  const { createSandbox } = await import('merchant-gateway-sandbox')
  const sandbox = createSandbox({ merchantCode: `example-${randomUUID()}`, settleAfterMs: 500 })
  const { url } = await sandbox.listen()
  const { merchantCode, privateKey } = sandbox.clientOptions()
  const client = new GatewayClient(sandbox.clientOptions())
  await migrate(client)
  // What this shell says of another gateway is not handed on.
  const others = Object.keys(process.env).filter((name) => name.startsWith('GATEWAY_'))
  const env = {
    ...Object.fromEntries(others.map((name) => [name, ''])),
    GATEWAY_BASE_URL: url,
    GATEWAY_MERCHANT_CODE: merchantCode,
    GATEWAY_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    GATEWAY_LIVE: 'false',
    GATEWAY_CALLBACK_SECRET: randomBytes(32).toString('hex'),
    TOKEN_KEY: randomBytes(32).toString('base64'), // the same in all processes: the store holds no readable token
    PORT: '0', // all processes of a cluster get the same free port
  }
  const workers = Array.from({ length: processes }, () => cluster.fork(env))
  for (const worker of workers) worker.on('exit', (code) => code && process.exit(code))
  const listening = await Promise.all(workers.map((worker) => once(worker, 'listening')))
  const { port } = listening[0]?.[0] ?? {}
  /** Again, for as long as the shop says that it can't now. @param {string} path */
  const ask = async (path, method = 'GET') => {
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${port}/orders/${path}`, { method })
      if (response.ok) return JSON.parse(await response.text())
    }
  }
  const carts = Array.from({ length: 4 }, () => randomUUID())
  const orders = await Promise.all([...carts, ...carts].map((cart) => ask(cart, 'POST'))) // each clicks twice
  console.log(`Orders answered with a reference: ${orders.filter(({ payTo }) => payTo).length} of 8`)
  for (const cart of carts) while (!(await ask(cart)).paid) await new Promise((done) => setTimeout(done, 100))
  await Promise.all([1, 2].map(() => ask(`${carts[0]}/refund`, 'POST')))
  console.log(`Payins at the gateway: ${sandbox.payins.size}, refunds: ${sandbox.payouts.size}`)
  const { rows } = await pool.query('SELECT FROM shipments WHERE id = ANY($1)', [carts])
  console.log(`Shipments: ${rows.length}`)
  console.log(
    `Requests that were too many: ${sandbox.requests.filter(({ status }) => status === 429).length}`,
  )
  for (const worker of workers) worker.process.kill()
  await Promise.all(workers.map((worker) => once(worker, 'exit')))
  await client.close()
  await sandbox.close()
  await pool.query(`DROP SCHEMA ${SHOP_SCHEMA} CASCADE; DROP SCHEMA ${SHOP_SCHEMA}_queue CASCADE`)
  await pool.end()
}
