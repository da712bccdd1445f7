import { afterEach, beforeEach, expect, test } from 'vitest'
import { CallbackReceiver } from '../../src/callbacks/index.js'
// Loaded by a client when it is first needed: that takes real time, which the clock of this test doesn't know.
import { GatewayClient } from '../../src/index.js'
import { bearer, origin } from '../support/gateway.js'
import { Clock } from './clock.js'
import { payinRequest, publicUrl, secret, withStatus } from './support.js'

const payments = 200
const callbacksForEach = 25

let clock: Clock
beforeEach(() => {
  clock = new Clock()
  clock.install()
})
afterEach(() => clock.remove())

interface Arrival {
  readonly at: number
  readonly what: string
}

/** A gateway that answers after 20 ms and notes when everything arrives, all in the time of the fake clock. */
function fakeGateway() {
  const arrivals: Arrival[] = []
  /** How many callbacks have been sent for each payment: it is final from the twentieth on. */
  const changes = new Map<string, number>()
  const answer = (method: string, path: string): object => {
    if (path === '/auth-tokens') return { token: bearer }
    const id = path.split('/').at(-1) ?? ''
    const { paymentRequested } = withStatus('PENDING')
    const paymentMethodResponse = { idPayin: id }
    if (method === 'POST') return { paymentRequested, paymentMethodResponse }
    const status = (changes.get(id) ?? 0) >= 20 ? 'SUCCESS' : 'PENDING'
    return { paymentRequested, paymentMethodResponse, process: { status } }
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(String(input instanceof Request ? input.url : input))
    const method = init?.method ?? 'GET'
    arrivals.push({ at: performance.now(), what: `${method} ${pathname}` })
    const body = JSON.stringify(answer(method, pathname))
    await new Promise((resolve) => setTimeout(resolve, 20))
    return new Response(body, { headers: { 'content-type': 'application/json' } })
  }
  return { arrivals, changes, fetch }
}

test('5,000 callbacks for 200 payments within a second: 400 look-ups, ten a second, and nothing lost', async () => {
  const gateway = fakeGateway()
  const signer = { sign: async () => new Uint8Array(256) }
  const client = new GatewayClient({ baseUrl: origin, merchantCode: 'M', signer, fetch: gateway.fetch })
  const delivered = new Map<string, string[]>()
  const receiver = new CallbackReceiver({
    client,
    publicUrl,
    secrets: [secret],
    onPayin: ({ process }, { idPayin }) => {
      delivered.set(idPayin, [...(delivered.get(idPayin) ?? []), process?.status ?? ''])
    },
  })
  const ids = Array.from({ length: payments }, (_, n) => `order-${n}`)
  const urls = new Map(ids.map((idPayin) => [idPayin, receiver.urlFor({ idPayin })]))
  const answers: Promise<number>[] = []
  const callback = async (id: string) => {
    gateway.changes.set(id, (gateway.changes.get(id) ?? 0) + 1)
    return (await receiver.receive(urls.get(id) ?? '')).status
  }

  // A hundred every 20 ms, the payments all mixed up.
  let created: { issued: number; answered: number } | undefined
  for (let n = 0; n < payments * callbacksForEach; n++) {
    answers.push(callback(ids[(n * 37) % payments] ?? ''))
    if (n % 100 === 99) await clock.advance(20)
    if (n !== 2500) continue
    const issued = performance.now()
    void client.payins.create(payinRequest('urgent')).then(() => {
      created = { issued, answered: performance.now() }
    })
  }
  expect(receiver.counts.pending).toBe(payments)
  await clock.advance(60_000)

  const lookUps = gateway.arrivals.filter(({ what }) => what.startsWith('GET'))
  expect(lookUps.length).toBeGreaterThanOrEqual(payments)
  expect(lookUps.length).toBeLessThanOrEqual(2 * payments)
  expect(mostInOneSecond(gateway.arrivals)).toBeLessThanOrEqual(10)

  // The create overtakes every look-up that waits: the very next permit is its own.
  const issued = created?.issued ?? Number.NaN
  const next = gateway.arrivals.find(({ at }) => at >= issued)
  expect(next?.what).toBe('POST /payins/urgent')
  expect((created?.answered ?? Number.NaN) - issued).toBeLessThanOrEqual(300 + 20)

  // Every function was called, last with the last status, and nothing is left behind.
  expect([...delivered.keys()].sort()).toEqual([...ids].sort())
  for (const statuses of delivered.values()) expect(statuses.at(-1)).toBe('SUCCESS')
  for (const statuses of delivered.values())
    expect(statuses.filter((one) => one === 'SUCCESS')).toHaveLength(1)
  const statuses = await Promise.all(answers)
  expect(new Set(statuses)).toEqual(new Set([204, 503]))
  expect(receiver.counts).toMatchObject({ failed: 0, refused: 0, pending: 0 })
  expect(receiver.counts.succeeded + receiver.counts.unavailable).toBe(payments * callbacksForEach)
  expect(clock.timers).toBe(0)
  await client.close()
})

function mostInOneSecond(arrivals: readonly Arrival[]): number {
  const counts = arrivals.map(
    ({ at: from }) => arrivals.filter(({ at }) => at >= from && at < from + 1000).length,
  )
  return Math.max(...counts)
}
