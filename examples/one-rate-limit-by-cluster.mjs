// @ts-check
// Shares ten requests a second between the workers of node:cluster by a limiter of your own, without a store.
import cluster from 'node:cluster'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { GatewayClient, money } from 'merchant-gateway'
import { createSandbox, expectNoRateLimitHit } from 'merchant-gateway-sandbox'

/**
 * In the primary process: `limit` requests of all workers together in any 1080 ms. A permit counts from when its
 * request went out, and 80 ms more than the second are left, since the network may squeeze what was sent evenly.
 *
 * @param {number} limit
 */
function sharePermits(limit) {
  const windowMs = 1080
  /** @type {{ worker: import('node:cluster').Worker, ask: number }[]} */
  let asking = []
  /** Workers with a permit whose request is not on the wire yet. @type {number[]} */
  const underWay = []
  /** @type {number[]} */
  const sentAt = []
  /** @type {NodeJS.Timeout | undefined} */
  let timer

  function grant() {
    clearTimeout(timer)
    const now = performance.now()
    while (sentAt[0] !== undefined && sentAt[0] <= now - windowMs) sentAt.shift()
    while (sentAt.length + underWay.length < limit) {
      const first = asking.shift()
      if (!first) return
      underWay.push(first.worker.id)
      // A worker may be dying at this moment; what it had is settled when it has gone.
      first.worker.send({ permit: first.ask }, () => {})
    }
    if (asking.length > 0 && sentAt[0] !== undefined) {
      timer = setTimeout(grant, Math.ceil(sentAt[0] + windowMs - now))
    }
  }

  /** @param {number} worker */
  function sent(worker) {
    const index = underWay.indexOf(worker)
    if (index < 0) return
    underWay.splice(index, 1)
    sentAt.push(performance.now())
  }

  cluster.on('message', (worker, { ask, cancel, isSent }) => {
    if (ask !== undefined) asking.push({ worker, ask })
    if (cancel !== undefined) asking = asking.filter((one) => one.worker !== worker || one.ask !== cancel)
    if (isSent) sent(worker.id)
    grant()
  })
  // A worker that died may have sent what it had permits for.
  cluster.on('exit', ({ id }) => {
    asking = asking.filter(({ worker }) => worker.id !== id)
    while (underWay.includes(id)) sent(id)
    grant()
  })
}

/** In the workers: asks the primary process. */
class SharedLimiter {
  #asks = 0
  /** @type {Map<number, () => void>} */
  #waiting = new Map()

  constructor() {
    process.on('message', (/** @type {{ permit: number }} */ { permit }) => {
      const granted = this.#waiting.get(permit)
      if (granted) granted()
      else this.sent() // Nobody waits for it any more: it goes back.
    })
  }

  /** @param {AbortSignal} signal @returns {Promise<void>} */
  acquire(signal) {
    const ask = ++this.#asks
    return new Promise((resolve, reject) => {
      const end = () => {
        signal.removeEventListener('abort', giveUp)
        this.#waiting.delete(ask)
      }
      const giveUp = () => {
        end()
        process.send?.({ cancel: ask })
        reject(signal.reason)
      }
      this.#waiting.set(ask, () => {
        end()
        resolve()
      })
      signal.addEventListener('abort', giveUp)
      process.send?.({ ask })
    })
  }

  sent() {
    process.send?.({ isSent: true })
  }
}

/** Three processes with five payins each, against a sandbox that counts as strictly as the gateway may. */
async function primary() {
  const sandbox = createSandbox()
  const { url } = await sandbox.listen()
  const { merchantCode, privateKey } = sandbox.clientOptions()
  const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  // What the shell says of another gateway is not meant here.
  const others = Object.keys(process.env).filter((name) => name.startsWith('GATEWAY_'))
  const env = {
    ...Object.fromEntries(others.map((name) => [name, ''])),
    GATEWAY_BASE_URL: url,
    GATEWAY_MERCHANT_CODE: merchantCode,
    GATEWAY_PRIVATE_KEY: key,
    GATEWAY_LIVE: 'false',
  }
  sharePermits(10)
  cluster.setupPrimary({ exec: fileURLToPath(import.meta.url), args: [] })
  await Promise.all([1, 2, 3].map(() => once(cluster.fork(env), 'exit')))
  expectNoRateLimitHit(sandbox)
  console.log(`${sandbox.payins.size} payins, ${sandbox.requests.length} requests, none refused`)
  await sandbox.close()
}

async function worker() {
  const client = GatewayClient.fromEnv({ rateLimit: new SharedLimiter() })
  const payin = {
    paymentRequested: { money: money('10.50', 'EUR') },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
  }
  await Promise.all([1, 2, 3, 4, 5].map(() => client.payins.create(payin)))
  await client.close()
  cluster.worker?.disconnect()
}

await (cluster.isPrimary ? primary() : worker())
