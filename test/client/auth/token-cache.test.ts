import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { createSandbox } from '../../../packages/sandbox/src/index.js'
import { type ClientOptions, GatewayClient, type TokenCache } from '../../../src/index.js'
import { over, type SomeOptions } from '../../support/client-options.js'
import { keepingLogger, shown } from '../observe/support.js'

const keyOf = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const privateKey = keyOf()
const base: ClientOptions = { baseUrl: 'https://gateway.example', merchantCode: 'M-0001', privateKey }
const minute = 60_000

/** A gateway whose tokens are numbered, and which refuses those that are named. */
function gateway() {
  const minted: string[] = []
  const refused = new Set<string>()
  const used: string[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input).includes('/auth-tokens')) {
      minted.push(`token-number-${minted.length + 1}`)
      return Response.json({ token: minted.at(-1) })
    }
    const token = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? ''
    used.push(token)
    return Response.json({ process: { status: 'PENDING' } }, { status: refused.has(token) ? 401 : 200 })
  }
  /** One short-lived process: a client for one call. */
  const run = async (tokenCache: TokenCache, options: SomeOptions = {}) => {
    const client = new GatewayClient(over(base, { fetch, tokenCache, rateLimit: false, retries: 0 }, options))
    try {
      return await client.payins.retrieve('order-1')
    } finally {
      await client.close()
    }
  }
  return { minted, refused, used, run }
}

function memory() {
  const texts = new Map<string, string>()
  const times: number[] = []
  const cache: TokenCache = {
    get: async (key) => texts.get(key) ?? null,
    set: (key, text, forMs) => {
      texts.set(key, text)
      times.push(forMs)
    },
  }
  return { texts, times, cache }
}

describe('a token cache', () => {
  test('serves a client the token that another one has minted', async () => {
    const { run, minted, used } = gateway()
    const { cache, times } = memory()
    for (let n = 0; n < 5; n++) await run(cache)
    expect(minted).toHaveLength(1)
    expect(new Set(used)).toEqual(new Set(['token-number-1']))
    expect(times).toHaveLength(1)
    expect(times[0]).toBeGreaterThan(13 * minute)
    expect(times[0]).toBeLessThanOrEqual(15 * minute)
  })

  test('holds no token and no account that can be read, and one place for each family', async () => {
    const { run, minted } = gateway()
    const { cache, texts } = memory()
    await run(cache)
    const client = new GatewayClient(over(base, { tokenCache: cache, rateLimit: false, fetch: answering }))
    await client.merchantInfo.retrieve()
    await client.close()
    expect(texts.size).toBe(2)
    const all = JSON.stringify([...texts])
    for (const canary of [...minted, 'another-token', 'M-0001', 'gateway.example'])
      expect(all).not.toContain(canary)
  })

  const answering: typeof globalThis.fetch = async (input) =>
    Response.json(String(input).includes('/auth-tokens') ? { token: 'another-token-of-account' } : {})

  test.each<[string, SomeOptions]>([
    ['merchants', { merchantCode: 'M-0002' }],
    ['gateways', { baseUrl: 'https://other.example' }],
    ['paths of a gateway', { baseUrl: 'https://gateway.example/api' }],
    ['keys', { privateKey: keyOf() }],
    ['operations', { operations: { payins: ['GET /payins/.*'] } }],
    ['validities', { tokenValiditySecs: 60 }],
    ['credentials', { privateKey: undefined, merchantSecret: 'canary-of-the-secret' }],
  ])('shares nothing between different %s', async (_, options) => {
    const { run, minted } = gateway()
    const { cache, texts } = memory()
    await run(cache)
    await run(cache, options)
    await run(cache, options)
    expect(minted).toHaveLength(2)
    expect(texts.size).toBe(2)
  })

  test('is passed over where its token is about to end, or has ended', async () => {
    const { run, minted } = gateway()
    const { cache } = memory()
    let now = Date.now()
    const options = { now: () => now }
    await run(cache, options)
    now += 12 * minute
    await run(cache, options)
    expect(minted).toHaveLength(1)
    now += 2 * minute
    await run(cache, options)
    expect(minted).toHaveLength(2)
    now += 60 * minute
    await run(cache, options)
    expect(minted).toHaveLength(3)
    now -= 60 * minute
    await run(cache, options)
    expect(minted).toHaveLength(4)
  })

  test('is passed over where the gateway refuses its token, and gets the new one', async () => {
    const { run, minted, refused, used } = gateway()
    const { cache } = memory()
    await run(cache)
    refused.add('token-number-1')
    await run(cache)
    await run(cache)
    expect(minted).toHaveLength(2)
    expect(used).toEqual(['token-number-1', 'token-number-1', 'token-number-2', 'token-number-2'])
  })

  test.each([
    ['nothing', undefined],
    ['no text', 7],
    ['a text of somebody else', '{"token":"stolen"}'],
    ['a sealed text that was changed', `1.abcdefgh.${'A'.repeat(80)}`],
    ['a long text', 'x'.repeat(1_000_000)],
  ])('that holds %s counts as empty', async (_, held) => {
    const { run, minted, used } = gateway()
    await Reflect.apply(run, undefined, [{ get: () => held, set: () => undefined }])
    expect(minted).toEqual(['token-number-1'])
    expect(used).toEqual(['token-number-1'])
  })

  test('whose texts were exchanged counts as empty', async () => {
    const { run, minted } = gateway()
    const { cache, texts } = memory()
    await run(cache)
    const [text = ''] = texts.values()
    await run({ get: () => text, set: () => undefined }, { tokenValiditySecs: 800 })
    expect(minted).toHaveLength(2)
  })

  test.each([
    [
      'rejects',
      'ECONNREFUSED',
      () => Promise.reject(Object.assign(new Error('canary'), { code: 'ECONNREFUSED' })),
    ],
    [
      'throws',
      'TypeError',
      () => {
        throw new TypeError('canary')
      },
    ],
  ])('that %s counts as empty, and the log shows %s and no word more', async (_, kind, use) => {
    const { run, minted } = gateway()
    const { logger, lines } = keepingLogger()
    await run({ get: use, set: use }, { logger })
    expect(minted).toHaveLength(1)
    expect(shown(lines)).toHaveLength(2)
    expect(lines.join()).toContain(`tokenCache failed (${kind})`)
    expect(lines.join()).not.toContain('canary')
  })

  test('that never answers is waited for so long and no longer', async () => {
    const { run, minted } = gateway()
    const never = () => new Promise<never>(() => {})
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let isDone = false
    // A signature takes real time, in which the clock of this test runs on.
    const patient = { timeoutMs: 2 ** 31 - 1, deadlineMs: 2 ** 31 - 1 }
    const done = run({ get: never, set: never }, patient).finally(() => {
      isDone = true
    })
    while (!isDone) await vi.advanceTimersByTimeAsync(100)
    await done
    expect(minted).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is asked again by nobody while one token request is under way', async () => {
    const { minted } = gateway()
    await using sandbox = createSandbox({ rateLimit: false })
    const { cache } = memory()
    const get = vi.fn(cache.get)
    await using client = new GatewayClient({ ...sandbox.clientOptions(), tokenCache: { ...cache, get } })
    await Promise.all(Array.from({ length: 20 }, () => client.balances.list()))
    expect(get).toHaveBeenCalledTimes(1)
    expect(sandbox.requests.filter(({ path }) => path.startsWith('/auth-tokens'))).toHaveLength(1)
    expect(minted).toEqual([])
  })
})
