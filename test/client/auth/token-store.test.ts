import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ClientOptions, GatewayClient, memoryTokenStore, type TokenStore } from '../../../src/index.js'
import { over, type SomeOptions } from '../../support/client-options.js'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => expect(vi.getTimerCount()).toBe(0))

/** Signs at once: a key signs on a thread, which knows nothing of the tests' clock. */
const signer = { keyId: 'key-1', sign: async () => new Uint8Array(256) }
const base: ClientOptions = { baseUrl: 'https://gateway.example', merchantCode: 'M-0001', signer }

beforeAll(async () => {
  // What is loaded at the first call is there from now on.
  const { clientOf } = gateway()
  await clientOf(memoryTokenStore(), { logger: { debug() {}, info() {}, warn() {}, error() {} } })
    .payins.retrieve('order-1')
    .catch(() => {})
})

/** A gateway whose tokens are t1, t2 …, and which refuses those that are named. */
function gateway() {
  const minted: string[] = []
  const refused = new Set<string>()
  const used: string[] = []
  let failing = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input).includes('/auth-tokens')) {
      await new Promise((resolve) => setTimeout(resolve, 300))
      init?.signal?.throwIfAborted()
      if (failing > 0) {
        failing--
        return new Response('{}', { status: 400 })
      }
      minted.push(`token-number-${minted.length + 1}`)
      return Response.json({ token: minted.at(-1) })
    }
    const token = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? ''
    used.push(token)
    return Response.json({ process: { status: 'PENDING' } }, { status: refused.has(token) ? 401 : 200 })
  }
  const fail = (times: number) => {
    failing = times
  }
  const clientOf = (tokenStore: TokenStore, options: SomeOptions = {}) =>
    new GatewayClient(over(base, { fetch, tokenStore, rateLimit: false, retries: 0 }, options))
  return { minted, refused, used, fail, clientOf }
}

/** What comes of it, on a clock that runs by itself. */
async function inTime<T>(promise: Promise<T>, ms = 60_000): Promise<T | unknown> {
  const settled = promise.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(ms)
  return settled
}

const look = (client: GatewayClient) => client.payins.retrieve('order-1')

describe('clients that share a store', () => {
  test('make one token request, however many begin at once', async () => {
    const { clientOf, minted } = gateway()
    const store = memoryTokenStore()
    const clients = Array.from({ length: 20 }, () => clientOf(store))
    await inTime(Promise.all(clients.map(look)), 2_000)
    expect(minted).toHaveLength(1)
  })

  test('make one more for each family', async () => {
    const { clientOf, minted } = gateway()
    const store = memoryTokenStore()
    for (const client of [clientOf(store), clientOf(store)]) {
      await inTime(look(client), 1_000)
      await inTime(client.merchantInfo.retrieve(), 1_000)
    }
    expect(minted).toHaveLength(2)
  })

  test('replace the token once for all, in the background and in time', async () => {
    const { clientOf, minted } = gateway()
    const store = memoryTokenStore()
    const clients = Array.from({ length: 3 }, () => clientOf(store))
    await inTime(Promise.all(clients.map(look)), 1_000)
    for (let s = 0; s < 880; s += 10) {
      await inTime(Promise.all(clients.map(look)), 10_000)
    }
    expect(minted).toHaveLength(2)
  })

  test.each<[string, SomeOptions]>([
    ['merchants', { merchantCode: 'M-0002' }],
    ['gateways', { baseUrl: 'https://other.example' }],
    ['paths of a gateway', { baseUrl: 'https://gateway.example/api' }],
    ['keys', { signer: { ...signer, keyId: 'key-2' } }],
    ['operations', { operations: { payins: ['GET /payins/.*'] } }],
    ['validities', { tokenValiditySecs: 60 }],
    ['credentials', { signer: undefined, merchantSecret: 'canary-of-the-secret' }],
  ])('share nothing between different %s', async (_, options) => {
    const { clientOf, minted } = gateway()
    const kept: string[] = []
    const memory = memoryTokenStore()
    const store: TokenStore = {
      ...memory,
      claim: (key, asked) => {
        kept.push(key)
        return memory.claim(key, asked)
      },
    }
    vi.useRealTimers()
    await look(clientOf(store))
    await look(clientOf(store, options))
    vi.useFakeTimers()
    expect(minted).toHaveLength(2)
    expect(kept.join()).not.toContain('canary')
    expect(kept[0]).toMatch(/^M-0001:payins:[\w-]{43}$/)
  })

  test('share no token of a single payment', async () => {
    const { clientOf, minted } = gateway()
    const claim = vi.fn()
    await inTime(look(clientOf({ ...memoryTokenStore(), claim }, { tokens: 'per-payment' })), 1_000)
    expect(minted).toHaveLength(1)
    expect(claim).not.toHaveBeenCalled()
  })
})

describe('a token that the gateway refuses', () => {
  test('is dropped for all, and replaced once', async () => {
    const { clientOf, minted, refused, used } = gateway()
    const store = memoryTokenStore()
    const clients = [clientOf(store), clientOf(store), clientOf(store)]
    await inTime(Promise.all(clients.map(look)), 1_000)
    refused.add('token-number-1')
    await inTime(Promise.all(clients.map(look)), 2_000)
    await inTime(look(clientOf(store)), 1_000)
    expect(minted).toHaveLength(2)
    expect(used.filter((token) => token === 'token-number-1')).toHaveLength(6)
    expect(used.at(-1)).toBe('token-number-2')
  })

  test('is not what removes a newer one', async () => {
    const { clientOf, minted, refused } = gateway()
    const store = memoryTokenStore()
    const [slow, quick] = [clientOf(store), clientOf(store)]
    await inTime(Promise.all([look(slow), look(quick)]), 1_000)
    refused.add('token-number-1')
    await inTime(look(quick), 1_000)
    await inTime(look(slow), 1_000)
    await inTime(look(clientOf(store)), 1_000)
    expect(minted).toHaveLength(2)
  })
})

describe('a client whose token request fails', () => {
  test('lets the next one try', async () => {
    const { clientOf, minted, fail } = gateway()
    const store = memoryTokenStore()
    fail(1)
    const came = await inTime(Promise.allSettled([look(clientOf(store)), look(clientOf(store))]), 5_000)
    expect(came).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled' }])
    expect(minted).toHaveLength(1)
  })

  test('and one that was given up keeps nobody waiting', async () => {
    const { clientOf, minted } = gateway()
    const store = memoryTokenStore()
    const giveUp = new AbortController()
    const gone = clientOf(store).payins.retrieve('order-1', { signal: giveUp.signal })
    await vi.advanceTimersByTimeAsync(100)
    const stays = look(clientOf(store))
    giveUp.abort()
    expect(await inTime(gone, 0)).toMatchObject({ code: 'aborted' })
    expect(await inTime(stays, 1_000)).toEqual({ process: { status: 'PENDING' } })
    expect(minted).toHaveLength(1)
  })

  test('and one that was killed holds others up for five seconds at most', async () => {
    const { clientOf, minted } = gateway()
    const store = memoryTokenStore()
    const killed: TokenStore = { ...store, put: () => new Promise(() => {}), release: async () => {} }
    await inTime(look(clientOf(killed)), 2_000)
    const began = performance.now()
    const came = look(clientOf(store)).then(() => performance.now() - began)
    expect(await inTime(came, 6_000)).toBeLessThan(5_000)
    expect(minted).toHaveLength(2)
  })
})

describe('a store', () => {
  const never = () => new Promise<never>(() => {})
  const fails = () => Promise.reject(Object.assign(new Error('canary'), { code: 'ECONNREFUSED' }))
  const throws = () => {
    throw new TypeError('canary')
  }
  const stored = { state: 'stored', token: 'x', lifetimeMs: 900_000, remainingMs: 900_000, version: 'v' }

  test.each<[string, () => unknown, number]>([
    ['that never answers', never, 1_400],
    ['that rejects', fails, 400],
    ['that throws', throws, 400],
    ['that answers nothing', async () => undefined, 400],
    ['that answers nonsense', async () => ({ state: 'open' }), 400],
    [
      'whose answer throws when it is read',
      async () => ({
        get state() {
          return throws()
        },
      }),
      400,
    ],
    ['with a token that is no text for a header', async () => ({ ...stored, token: 'a\r\nb' }), 400],
    ['with a token that is too long', async () => ({ ...stored, token: 'x'.repeat(9_000) }), 400],
    [
      'with a token that would live for ever',
      async () => ({ ...stored, remainingMs: 1e15, lifetimeMs: 1e15 }),
      400,
    ],
    ['with a token whose life is no number', async () => ({ ...stored, remainingMs: Number.NaN }), 400],
    ['with a token that is about to end', async () => ({ ...stored, remainingMs: 20_000 }), 400],
    ['that is busy for ever', async () => ({ state: 'busy' }), 10_800],
  ])('%s leaves each client to itself', async (_, claim, ms) => {
    const { clientOf, minted } = gateway()
    const store = Object.assign(memoryTokenStore(), { claim })
    const began = performance.now()
    const took = look(clientOf(store)).then(() => performance.now() - began)
    expect(await inTime(took, 20_000)).toBeLessThanOrEqual(ms)
    expect(minted).toHaveLength(1)
  })

  test.each([
    ['never answers', never],
    ['rejects', fails],
    ['throws', throws],
  ])('whose put, release and remove %s costs no call its token', async (_, use) => {
    const { clientOf, refused, used, fail } = gateway()
    const client = clientOf(Object.assign(memoryTokenStore(), { put: use, release: use, remove: use }))
    await inTime(look(client), 2_000)
    refused.add('token-number-1')
    fail(1)
    await inTime(look(client), 8_000)
    await inTime(look(client), 8_000)
    expect(used.at(-1)).toBe('token-number-2')
  })

  test('that fails is told of in the log, without what it said', async () => {
    const { clientOf } = gateway()
    const lines: string[] = []
    const log = (...parts: unknown[]) => void lines.push(parts.map(String).join(' '))
    const logger = { debug: () => {}, info: log, warn: log, error: log }
    const client = clientOf(Object.assign(memoryTokenStore(), { claim: fails }), { logger })
    await inTime(look(client), 2_000)
    expect(lines).toEqual([
      "merchant-gateway: tokenStore failed (ECONNREFUSED), so the token for payins is this client's own",
    ])
  })

  test('that held something unreadable is told of in the log, and the new token is shared', async () => {
    const { clientOf, minted } = gateway()
    const store = memoryTokenStore()
    let claims = 0
    const claim: TokenStore['claim'] = async (...args) => {
      const claimed = await store.claim(...args)
      return claimed.state === 'claimed' && claims++ === 0 ? { ...claimed, unreadable: true } : claimed
    }
    const lines: string[] = []
    const log = (...parts: unknown[]) => void lines.push(parts.map(String).join(' '))
    const logger = { debug: () => {}, info: log, warn: log, error: log }
    const odd = Object.assign(memoryTokenStore(), { ...store, claim })
    await inTime(look(clientOf(odd, { logger })), 2_000)
    await inTime(look(clientOf(odd, { logger })), 2_000)
    expect(minted).toHaveLength(1)
    expect(lines).toEqual([
      'merchant-gateway: tokenStore held something for payins that none of its keys decrypts, so a new token is minted',
    ])
  })

  test('is not waited for when the client is closed', async () => {
    const { clientOf } = gateway()
    const client = clientOf(Object.assign(memoryTokenStore(), { claim: never }))
    const call = look(client)
    await vi.advanceTimersByTimeAsync(10)
    await client.close()
    expect(await inTime(call, 0)).toMatchObject({ code: 'client_closed' })
    await vi.advanceTimersByTimeAsync(0)
  })
})

describe('a signer', () => {
  test('without a keyId is refused with a tokenStore, and taken without', () => {
    const { keyId: _, ...nameless } = signer
    const made = (options: SomeOptions) => () => new GatewayClient(over(base, options))
    expect(made({ signer: nameless, tokenStore: memoryTokenStore() })).toThrow(
      /^signer needs a keyId with tokenStore/,
    )
    expect(made({ signer: nameless })).not.toThrow()
  })
})
