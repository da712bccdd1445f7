// @ts-check
// What a count of permits lets through, beside a count of what went out: `npm run build && node bench/pacing.mjs`.
// The figures of docs/decisions/0008 are from here. It takes about 20 seconds.
import { GatewayClient, money } from 'merchant-gateway'
import pThrottle from 'p-throttle'

const calls = 30
const windowMs = 1080

/** The permits of p-throttle, in the place of the client's own limiter. */
const permits = () => {
  const next = pThrottle({ limit: 10, interval: windowMs, strict: true })(() => Promise.resolve())
  return { acquire: () => next() }
}

/**
 * Makes payins over connections whose first use takes a while, as TLS does.
 *
 * @param {{ rateLimit?: { acquire(): Promise<void> }, connectMs: number, turnedMs: number }} how
 */
async function run({ rateLimit, connectMs, turnedMs }) {
  /** @type {number[]} */
  const arrivals = []
  let connections = 0
  const wall = Date.now
  /** @type {typeof globalThis.fetch} */
  const fetch = async (input) => {
    const isToken = String(input).endsWith('/auth-tokens')
    connections++
    // The token's connection is there for the first payin; those of the others are made while they wait.
    if (connections > 2 && connections <= 10) await new Promise((resolve) => setTimeout(resolve, connectMs))
    arrivals.push(performance.now())
    if (arrivals.length === 10) Date.now = () => wall() + turnedMs
    if (isToken) return Response.json({ token: 'a-token' })
    const id = String(input).split('/').at(-1)
    return Response.json({
      paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
      paymentMethodResponse: { idPayin: id },
    })
  }
  const client = new GatewayClient({
    baseUrl: 'https://gateway.example',
    merchantCode: 'M-0001',
    signer: { sign: async () => new Uint8Array(256) },
    deadlineMs: 8000,
    fetch,
    ...(rateLimit === undefined
      ? { rateLimit: { requestsPerSecond: 10, counted: 'in-windows' } }
      : { rateLimit }),
  })
  const request = {
    paymentRequested: { money: money('1', 'EUR') },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
  }
  const came = await Promise.allSettled(Array.from({ length: calls }, () => client.payins.create(request)))
  Date.now = wall
  await client.close()
  const inOneSecond = arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + 1000).length)
  const made = came.filter(({ status }) => status === 'fulfilled').length
  return { made, mostInOneSecond: Math.max(...inOneSecond) }
}

const cases = [
  { name: 'connections that take 400 ms', connectMs: 400, turnedMs: 0 },
  { name: 'wall clock turned back an hour', connectMs: 0, turnedMs: -3_600_000 },
]
for (const { name, ...how } of cases) {
  for (const [who, rateLimit] of [
    ['p-throttle', permits()],
    ['counted as it goes out', undefined],
  ]) {
    const { made, mostInOneSecond } = await run({ ...how, rateLimit })
    console.log(
      `${name}, ${who}: ${made} of ${calls} payins, at most ${mostInOneSecond} requests in a second`,
    )
  }
}
// p-throttle would go on waiting for the hour.
process.exit(0)
