// @ts-check
// A web shop in four processes. All together they send ten requests a second at most and have one token, both by
// Redis. Always in the sandbox here; in production each process is the second half of this file.

import cluster from 'node:cluster'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Redis } from 'ioredis'
import { GatewayClient, isGatewayError, money } from 'merchant-gateway'
import { redisBudget, redisTokenStore } from 'merchant-gateway/redis'
import { createSandbox } from 'merchant-gateway-sandbox'

const processes = 4
const orders = 24

await (cluster.isPrimary ? tryIt() : shop())

/** The gateway, the four processes, and their customers: all at once. */
async function tryIt() {
  const sandbox = createSandbox({ merchantCode: `example-${randomUUID()}` })
  const { url } = await sandbox.listen()
  const { merchantCode, privateKey } = sandbox.clientOptions()
  // What this shell says of another gateway is not handed on.
  const others = Object.keys(process.env).filter((name) => name.startsWith('GATEWAY_'))
  const env = {
    ...Object.fromEntries(others.map((name) => [name, ''])),
    GATEWAY_BASE_URL: url,
    GATEWAY_MERCHANT_CODE: merchantCode,
    GATEWAY_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    GATEWAY_LIVE: 'false',
    TOKEN_KEY: randomBytes(32).toString('base64'),
  }
  const workers = Array.from({ length: processes }, () => cluster.fork(env))
  // A process that can't start says why, and nobody waits for it.
  for (const worker of workers) worker.on('exit', (code) => code && process.exit(code))
  const listening = await Promise.all(workers.map((worker) => once(worker, 'listening')))
  const { port } = listening[0]?.[0] ?? {}

  const answers = await Promise.all(
    Array.from({ length: orders }, async (_, number) => {
      const response = await fetch(`http://127.0.0.1:${port}/orders/order-${number + 1}`, { method: 'POST' })
      return { taken: response.ok, by: await response.text() }
    }),
  )
  console.log(`Orders that were taken: ${answers.filter(({ taken }) => taken).length} of ${orders}`)
  console.log(`Payins at the gateway: ${sandbox.payins.size}`)
  console.log(`Processes that took them: ${new Set(answers.map(({ by }) => by)).size}`)
  const asked = sandbox.requests.map(({ path }) => path)
  console.log(`Token requests: ${asked.filter((path) => path.endsWith('/auth-tokens')).length}`)
  console.log(
    `Requests that were too many: ${sandbox.requests.filter(({ status }) => status === 429).length}`,
  )
  for (const worker of workers) worker.process.kill()
  await sandbox.close()
}

/** One process of the shop. */
async function shop() {
  const { REDIS_URL = 'redis://127.0.0.1:6379', TOKEN_KEY = '' } = process.env
  const connection = new Redis(REDIS_URL)
  const client = GatewayClient.fromEnv({
    rateLimit: redisBudget({ connection, processes }),
    // The key is the same in all processes, and a secret: Redis holds no token that can be read.
    tokenStore: redisTokenStore({ connection, encryptionKeys: [TOKEN_KEY] }),
  })
  const server = createServer(async (request, response) => {
    const idPayin = String(request.url).slice('/orders/'.length)
    try {
      await client.payins.create({
        idPayin,
        paymentRequested: { money: money('10.50', 'EUR') },
        paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
      })
      response.end(String(process.pid))
    } catch (error) {
      // The customer orders again, and the id is the same: there is one payin whatever happened.
      console.error(isGatewayError(error) ? error.message : 'the order failed')
      response.statusCode = 503
      response.end(String(process.pid))
    }
  })
  // Every process of a cluster gets the same free port.
  server.listen(0, '127.0.0.1')
}
