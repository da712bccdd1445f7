// @ts-check
// A gateway in a process of its own that writes down when requests arrive. The network between it and the clients
// is played: each request arrives 0 to `jitterMs` later than it was received. Asked `{ report: true }`, it sends
// what has arrived; asked `{ refuse: n }`, it answers the next n payments with 429.
import { createServer } from 'node:http'
import { setPriority } from 'node:os'

// What it takes a busy machine to get to it would count as network.
try {
  setPriority(-15)
} catch {
  console.error('the gateway has no priority here, so that a busy machine may spoil the figures')
}

const jitterMs = Number(process.argv[2] ?? 80)
/** @type {{ at: number, who: string }[]} */
const arrivals = []
let toRefuse = 0
let refused = 0

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const late = Math.random() * jitterMs
  const path = request.url ?? ''
  arrivals.push({ at: performance.now() + late, who: /\/payouts\/(\w+)-/.exec(path)?.[1] ?? 'token' })
  request.resume()
  setTimeout(() => {
    const isToken = path === '/auth-tokens'
    const id = path.split('/').pop()
    if (!isToken && toRefuse > 0) {
      toRefuse--
      refused++
      response.writeHead(429, { 'content-type': 'application/json' }).end('{"code":"TOO_MANY_REQUESTS"}')
      return
    }
    const body = isToken
      ? { token: 'a.b.c' }
      : {
          paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
          paymentMethodResponse: { idPayout: id, paymentMethodCode: 'BANK_TRANSFER' },
        }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }, late)
})

process.on('message', (/** @type {{ report?: boolean, refuse?: number }} */ { report, refuse }) => {
  if (refuse !== undefined) toRefuse += refuse
  if (report) process.send?.({ arrivals, refused, now: performance.now() })
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.({ origin: `http://127.0.0.1:${address?.port}` })
})
