import { createServer } from 'node:net'
import { Agent, type Dispatcher, interceptors, MockAgent } from 'undici'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { acceptedPayout, rawAnswer, rawGateway } from '../../../faults/copies.js'
import { anyToken } from '../../../faults/servers.js'
import { clientOf, create, failure } from '../../../faults/support.js'
import { closedAddress, listen } from '../../../support/listening.js'

const dispatchers: Dispatcher[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(dispatchers.splice(0).map((dispatcher) => dispatcher.close()))
})

function kept<D extends Dispatcher>(dispatcher: D): D {
  dispatchers.push(dispatcher)
  return dispatcher
}

const plain = { allowInsecureHttp: true } as const

/** Repeats whatever it is given, at once. */
function repeating(): Dispatcher {
  const agent = kept(new Agent())
  return agent.compose(
    interceptors.retry({ methods: ['POST', 'GET'], maxRetries: 5, minTimeout: 1, maxTimeout: 1 }),
  )
}

/** Counts permits that were used. */
function countingLimiter() {
  const limiter = { permits: 0, sent: 0 }
  return {
    limiter,
    rateLimit: {
      acquire: () => {
        limiter.permits++
        return undefined
      },
      sent: () => {
        limiter.sent++
      },
    },
  }
}

describe('a dispatcher that repeats requests by itself', () => {
  it('is kept from it: what was accepted and then refused is not called "not-accepted"', async () => {
    let creates = 0
    await using gateway = await rawGateway((_, socket) => {
      if (creates++ > 0) return rawAnswer(400, {})
      socket.destroy()
      return undefined
    })
    await using client = clientOf(gateway.url, 'undici', { retries: 0, dispatcher: repeating(), ...plain })
    const error = await failure(create(client, 'payout'))
    expect(error).toMatchObject({ code: 'connection', outcome: 'unknown' })
    expect(creates).toBe(1)
  })

  it('sends nothing without a permit', async () => {
    let creates = 0
    await using gateway = await rawGateway(({ path }) =>
      creates++ < 2 ? rawAnswer(503, {}) : rawAnswer(200, acceptedPayout(path)),
    )
    const { limiter, rateLimit } = countingLimiter()
    await using client = clientOf(gateway.url, 'undici', {
      retries: 3,
      dispatcher: repeating(),
      rateLimit,
      ...plain,
    })
    expect(await create(client, 'payout')).toMatchObject({ replayed: false })
    expect(gateway.requests).toHaveLength(4)
    expect(limiter.sent).toBe(limiter.permits)
    expect(limiter.permits).toBe(4)
  })
})

describe('a request that a mock resets', () => {
  it.each([
    ['may have been processed', { code: 'ECONNRESET', syscall: 'read' }, 'unknown'],
    ['was not, where the mock says that there was no connection', { code: 'ECONNREFUSED' }, 'not-accepted'],
  ])('%s', async (_what, how, outcome) => {
    const agent = kept(new MockAgent())
    agent.disableNetConnect()
    const pool = agent.get('https://gateway.example')
    pool.intercept({ path: '/auth-tokens', method: 'POST' }).reply(200, { token: anyToken })
    pool
      .intercept({ path: '/payouts/order-1', method: 'POST' })
      .replyWithError(Object.assign(new Error('mocked'), how))
    await using client = clientOf('https://gateway.example', 'undici', { dispatcher: agent, retries: 0 })
    expect(await failure(create(client, 'payout'))).toMatchObject({ code: 'connection', outcome })
  })
})

describe('a proxy of the environment', () => {
  it.each([
    ['is taken where NODE_USE_ENV_PROXY=1', '1', 1],
    ['is not taken otherwise', '', 0],
  ])('%s', async (_what, taken, connections) => {
    const asked: string[] = []
    const proxy = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', (bytes) => {
        asked.push(String(bytes).split(' ')[1] ?? '')
        socket.end('HTTP/1.1 502 X\r\ncontent-length: 0\r\n\r\n')
      })
    })
    const url = `http://127.0.0.1:${await listen(proxy)}`
    for (const name of ['http_proxy', 'HTTP_PROXY']) vi.stubEnv(name, url)
    for (const name of ['no_proxy', 'NO_PROXY']) vi.stubEnv(name, '')
    vi.stubEnv('NODE_USE_ENV_PROXY', taken)
    const gateway = await closedAddress()
    await using client = clientOf(gateway, 'undici', { retries: 0 })
    expect(await failure(create(client, 'payout'))).toMatchObject({ outcome: 'not-accepted' })
    expect(asked).toHaveLength(connections)
    for (const address of asked) expect(address).toContain(new URL(gateway).host)
    proxy.close()
  })
})
