// @ts-check
// One process that shares the budget. Its argument says how; it begins when it is told `{ go: true }`, and on
// `{ stop: true }` it sends how many calls of the store it made and how long its requests waited for their permits.
import { GatewayClient, money, onGatewayEvent } from 'merchant-gateway'
import { countedConnection } from './connections.mjs'

/**
 * @typedef {object} Role
 * @property {string} name the beginning of its payments' ids
 * @property {string} origin of the gateway
 * @property {'redis' | 'node-redis' | 'postgres'} store
 * @property {string} url of the store
 * @property {string} budget
 * @property {number} [processes]
 * @property {'customer' | 'background'} priority
 * @property {number} concurrency how many creates it makes at once
 * @property {number} [everyMs] for a web process: one create after another, with about so long between them
 * @property {number} [evenMs] for a web process: a create each so many ms, whether or not those before are done
 * @property {number} [blockedMs] for how long of every 2500 ms its event loop stands still
 * @property {number} [wallOffMs] by how much its Date.now is wrong
 */
/** @type {Role} */
const role = JSON.parse(process.argv[2] ?? '{}')
const { name, origin, priority, concurrency, everyMs, evenMs, blockedMs = 0, wallOffMs = 0 } = role

const wall = Date.now
if (wallOffMs !== 0) Date.now = () => wall() + wallOffMs

/**
 * How long waits are not counted: while the budget begins, and, where creates come evenly, until those that came
 * meanwhile have gone.
 */
const startMs = evenMs === undefined ? 3000 : 8000
let wentAt = Number.POSITIVE_INFINITY
let isStopping = false
/** @type {number[]} */
const waits = []
/** @type {string[]} */
const failures = []
let storeAway = 0

const { rateLimit, calls, end } = await countedConnection(role, () => storeAway++)
const client = new GatewayClient({
  baseUrl: origin,
  allowInsecureHttp: true,
  merchantCode: 'M-0001',
  signer: { sign: async () => new Uint8Array([1]) },
  rateLimit,
})
onGatewayEvent('merchant-gateway:attempt:start', ({ attempt }) => {
  // At the start everybody asks for a token first.
  const isSteady = performance.now() - wentAt > startMs
  if (isSteady && attempt.call.name === 'payouts.create') waits.push(attempt.waitedForPermitMs)
})

let made = 0
const stop = new AbortController()
async function create() {
  await client.payouts
    .create(
      {
        idPayout: `${name}-${++made}-${process.pid}`,
        paymentRequested: { money: money('1.00', 'EUR') },
        paymentMethod: {
          paymentMethodCode: 'BANK_TRANSFER',
          account: { accountName: 'A', accountNumber: '1' },
          paymentOperatorCode: 'HARBOUR',
          emailAddress: 'a@shop.example',
        },
      },
      { priority, signal: stop.signal },
    )
    .catch((error) => {
      if (!isStopping && failures.length < 20) failures.push(String(error.message).slice(0, 200))
    })
}

async function run() {
  if (evenMs !== undefined) {
    const timer = setInterval(() => (isStopping ? clearInterval(timer) : void create()), evenMs)
    return
  }
  while (!isStopping) {
    await create()
    if (everyMs !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, everyMs * (0.5 + Math.random())))
    }
  }
}

if (blockedMs > 0) {
  setInterval(() => {
    const until = performance.now() + blockedMs
    while (performance.now() < until);
  }, 2500).unref()
}

process.on('message', async (/** @type {{ go?: boolean, stop?: boolean }} */ { go, stop: ends }) => {
  if (go) wentAt = performance.now()
  if (go) for (let n = 0; n < concurrency; n++) void run()
  if (!ends) return
  isStopping = true
  stop.abort()
  process.send?.({ calls: calls(), waits, failures, storeAway })
})
process.on('disconnect', async () => {
  await end().catch(() => undefined)
  process.exit()
})
process.send?.({ ready: true })
