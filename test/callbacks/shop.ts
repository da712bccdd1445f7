import { vi } from 'vitest'
import { CallbackReceiver, type DedupeStore, type DeliveredStatus } from '../../src/callbacks/index.js'
// Loaded by a client when it is first needed: that takes real time, which the clock of a test doesn't know.
import { isPaid } from '../../src/index.js'
import { defaultClient } from '../load/arrivals.js'
import { HandStore, limitOver } from '../stores/rate-limit/hand-store.js'
import { chances } from '../support/chances.js'
import { bearer } from '../support/gateway.js'
import { payinRequest, publicUrl, secret, withStatus } from './support.js'

/** A store of what was delivered, as processes share it; one that knows no claims, too. */
export function sharedDedupe({ hasClaims = true } = {}): DedupeStore {
  const kept = new Map<string, DeliveredStatus>()
  const counts = new Map<string, number>()
  const claims = new Map<string, { number: number; until: number }>()
  const claim = async (key: string, number: number, forMs: number) => {
    const held = claims.get(key)
    if (held !== undefined && held.number !== number && performance.now() < held.until) return held.number
    claims.set(key, { number, until: performance.now() + forMs })
    return number
  }
  return {
    get: async (key) => kept.get(key),
    set: async (key, delivered) => void kept.set(key, delivered),
    count: async (key) => {
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count
    },
    ...(hasClaims ? { claim } : {}),
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * A gateway in the time of a fake clock: each payin is PENDING at once, and paid 2 to 5 s later. It sends 50 callbacks
 * at a time, each up to three times, as the sandbox does.
 */
class ShopGateway {
  readonly paidAt = new Map<string, number>()
  /** When each was requested. */
  readonly lookups: number[] = []
  readonly requestedAt: number[] = []
  readonly answers: number[] = []
  readonly #random: () => number
  readonly #due: (() => Promise<void>)[] = []
  #onTheWay = 0
  readonly #receive: (url: string) => Promise<number>

  constructor(receive: (url: string) => Promise<number>, seed: number) {
    this.#receive = receive
    this.#random = chances(1 + 7 * seed)
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(String(input instanceof Request ? input.url : input))
    const method = init?.method ?? 'GET'
    this.requestedAt.push(performance.now())
    await wait(10)
    const answer = this.#answer(method, pathname, String(init?.body))
    await wait(10)
    return Response.json(answer)
  }

  #answer(method: string, path: string, body: string): object {
    if (path === '/auth-tokens') return { token: bearer }
    const id = path.split('/').at(-1) ?? ''
    const { paymentRequested } = withStatus('PENDING')
    const paymentMethodResponse = { idPayin: id }
    if (method === 'GET') {
      this.lookups.push(Date.now())
      const status = Date.now() < (this.paidAt.get(id) ?? 0) ? 'PENDING' : 'SUCCESS'
      return { paymentRequested, paymentMethodResponse, process: { status } }
    }
    const { callbackUrl } = JSON.parse(body)
    const payAfterMs = 2000 + 3000 * this.#random()
    this.paidAt.set(id, Date.now() + payAfterMs)
    this.#send(callbackUrl)
    void wait(payAfterMs).then(() => this.#send(callbackUrl))
    return { paymentRequested, paymentMethodResponse }
  }

  #send(url: string, tries = 3): void {
    this.#due.push(async () => {
      const status = await this.#receive(url)
      this.answers.push(status)
      if (status !== 204 && tries > 1)
        void wait(1000 * 2 ** (3 - tries)).then(() => this.#send(url, tries - 1))
    })
    void this.#serve()
  }

  async #serve(): Promise<void> {
    const next = this.#onTheWay < 50 ? this.#due.shift() : undefined
    if (next === undefined) return
    this.#onTheWay++
    await next()
    this.#onTheWay--
    void this.#serve()
  }
}

export interface ShopLoad {
  readonly processes: number
  readonly ordersPerSecond: number
  readonly seconds: number
  /** How long the store of the shared rate limit takes, there and back: a busy machine makes it long. */
  readonly storeMs?: number
  /** Of the chances of this run. */
  readonly seed?: number
}

/** A shop of several processes on a fake clock, until a minute after the last order. Times are in milliseconds. */
export async function runShop(load: ShopLoad) {
  const { processes, ordersPerSecond, seconds, storeMs = 1, seed = 0 } = load
  const random = chances(2 + seed)
  const receivers: CallbackReceiver[] = []
  const gateway = new ShopGateway(async (url) => {
    const receiver = receivers[Math.floor(random() * receivers.length)]
    return (await receiver?.receive(url))?.status ?? 500
  }, seed)
  const store = new HandStore()
  store.travelMs = [storeMs, storeMs]
  const dedupe = processes > 1 ? sharedDedupe() : undefined
  const knownAt = new Map<string, number>()
  const calls: string[] = []
  const clients = Array.from({ length: processes }, () => {
    const client = defaultClient(
      gateway.fetch,
      processes > 1 ? { rateLimit: limitOver(store, { processes }) } : {},
    )
    const onPayin: ConstructorParameters<typeof CallbackReceiver>[0]['onPayin'] = (payin, { idPayin }) => {
      calls.push(`${idPayin} ${payin.process?.status}`)
      if (isPaid(payin) && !knownAt.has(idPayin)) knownAt.set(idPayin, Date.now())
    }
    receivers.push(new CallbackReceiver({ client, publicUrl, secrets: [secret], dedupe, onPayin }))
    return client
  })
  const ids = Array.from({ length: ordersPerSecond * seconds }, (_, n) => `order-${n}`)
  for (const [n, id] of ids.entries()) {
    void clients[n % processes]?.payins.create(payinRequest(id))
    await vi.advanceTimersByTimeAsync(1000 / ordersPerSecond)
  }
  await vi.advanceTimersByTimeAsync(60_000)
  const waits = ids.map((id) => (knownAt.get(id) ?? Number.POSITIVE_INFINITY) - (gateway.paidAt.get(id) ?? 0))
  waits.sort((a, b) => a - b)
  const result = {
    known: knownAt.size,
    medianMs: waits[Math.floor(waits.length / 2)] ?? Number.NaN,
    p95Ms: waits[Math.floor(waits.length * 0.95)] ?? Number.NaN,
    /** From when the last was paid, until the last was known. */
    overMs: Math.max(...knownAt.values()) - Math.max(...gateway.paidAt.values()),
    lookups: gateway.lookups.length,
    lookupsUntilKnown: gateway.lookups.filter((at) => at <= Math.max(...knownAt.values())).length,
    callbacks: gateway.answers.length,
    unavailable: gateway.answers.filter((answer) => answer === 503).length,
    requestedAt: gateway.requestedAt,
    pending: receivers.reduce((sum, { counts }) => sum + counts.pending, 0),
    calledTwice: calls.length - new Set(calls).size,
  }
  for (const client of clients) await client.close()
  return result
}
