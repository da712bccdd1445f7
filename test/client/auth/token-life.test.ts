import { type CallOptions, type GatewayClient, operation } from 'merchant-gateway'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clientOf, failure } from '../../faults/support.js'
import type { SomeOptions } from '../../support/client-options.js'
import { Listening } from '../observe/support.js'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => expect(vi.getTimerCount()).toBe(0))

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const answer = (status: number) => Response.json({}, { status })

/** A gateway whose tokens are t1, t2 and so on; a test may answer requests for them, and refuse them. */
function gatewayOf(
  mint: (number: number) => Response | undefined | Promise<Response | undefined> = () => undefined,
) {
  const refused = new Map<string, number>()
  const used: string[] = []
  const usedAt: number[] = []
  const mints: AbortSignal[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input).includes('/auth-tokens')) {
      const number = mints.push(init?.signal ?? new AbortController().signal)
      return (await mint(number)) ?? Response.json({ token: `t${number}` })
    }
    const token = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? ''
    used.push(token)
    usedAt.push(performance.now())
    return answer(refused.get(token) ?? refused.get('all') ?? 200)
  }
  const client = (options: SomeOptions = {}) =>
    clientOf('https://gateway.example', 'fetch', { fetch, rateLimit: false, retries: 0, ...options })
  return { used, usedAt, mints, refused, client }
}

const read = (client: GatewayClient, options: CallOptions = {}, id = 'order-1') =>
  client.payins.retrieve(id, options)
const failed = async (client: GatewayClient, options: CallOptions = {}) => {
  const [error] = await Promise.all([failure(read(client, options)), advance(20_000)])
  return error
}

describe('a token', () => {
  it('is asked for once by five calls at a time, and anew when that failed (peer failures 13 and 14)', async () => {
    const { client: make, used, mints } = gatewayOf((number) => (number === 1 ? answer(503) : undefined))
    await using client = make()
    const five = () => Promise.allSettled(Array.from({ length: 5 }, () => read(client)))
    expect((await five()).map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
    expect(mints).toHaveLength(1)
    await five()
    expect(used).toEqual(Array(5).fill('t2'))
  })

  it('serves until the second in which the gateway may end it, and not a millisecond longer', async () => {
    const { client: make, used } = gatewayOf((number) => (number === 2 ? answer(503) : undefined))
    await using client = make({ tokenValiditySecs: 10 })
    await read(client)
    vi.advanceTimersByTime(8_999)
    await read(client)
    await advance(0)
    vi.advanceTimersByTime(1)
    await read(client)
    expect(used).toEqual(['t1', 't1', 't3'])
  })

  it('that had expired before it came is still tried, once for each call', async () => {
    const claims = Buffer.from(JSON.stringify({ iat: 1_700_000_000, exp: 1_699_999_995 })).toString(
      'base64url',
    )
    const { client: make, used, mints } = gatewayOf((n) => Response.json({ token: `e30.${claims}.t${n}` }))
    await using client = make()
    for (const id of ['a', 'b']) await read(client, {}, id)
    expect([mints.length, used.map((token) => token.slice(-2))]).toEqual([2, ['t1', 't2']])
  })

  it('lives from when it was asked for, not from when it came, whatever the wall clock says (peer failure 18)', async () => {
    const { client: make, used } = gatewayOf(async (number) => {
      if (number === 1) await new Promise((resolve) => setTimeout(resolve, 4_000))
      return undefined
    })
    await using client = make({ tokenValiditySecs: 10, timeoutMs: 5_000 })
    await Promise.all([read(client), advance(4_000)])
    vi.setSystemTime(Date.now() + 86_400_000)
    await read(client)
    vi.advanceTimersByTime(5_000)
    await read(client)
    expect(used).toEqual(['t1', 't1', 't2'])
  })

  it('is replaced in the background while it still serves, and not before every call (peer failure 17)', async () => {
    const { client: make, used, mints } = gatewayOf()
    await using client = make()
    using heard = new Listening()
    await read(client)
    vi.advanceTimersByTime(868_999)
    await read(client)
    expect(mints).toHaveLength(1)
    vi.advanceTimersByTime(1)
    await read(client)
    await advance(0)
    await read(client)
    expect(used).toEqual(['t1', 't1', 't1', 't2'])
    vi.advanceTimersByTime(900_000)
    await read(client)
    expect(heard.tokens.map(({ kind, why, lifetimeMs }) => `${kind} ${why ?? lifetimeMs}`)).toEqual([
      'minted 900000',
      'refreshed 900000',
      'dropped expired',
      'minted 900000',
    ])
  })

  it('that can not be replaced is asked for again after half of what is left, and never within a second', async () => {
    const { client: make, used, mints } = gatewayOf((number) => (number === 1 ? undefined : answer(503)))
    await using client = make()
    await read(client)
    vi.advanceTimersByTime(869_000)
    for (let ms = 0; ms < 30_000; ms += 100) {
      await read(client)
      await advance(100)
    }
    expect(new Set(used)).toEqual(new Set(['t1']))
    expect(mints.length - 1).toBeGreaterThanOrEqual(4)
    expect(mints.length - 1).toBeLessThanOrEqual(8)
  })

  it('that lives for three seconds is minted once in its life', async () => {
    const { client: make, mints } = gatewayOf()
    await using client = make({ tokenValiditySecs: 3 })
    for (let ms = 0; ms < 1_790; ms += 10) {
      await read(client)
      await advance(10)
    }
    expect(mints).toHaveLength(1)
  })

  it('is the oldest of a thousand, and is forgotten for the next', async () => {
    const { client: make, mints } = gatewayOf()
    await using client = make({ tokens: 'per-payment' })
    using heard = new Listening()
    for (let n = 0; n <= 1001; n++) await read(client, {}, `order-${n}`)
    expect(heard.tokens.filter(({ why }) => why === 'evicted')).toHaveLength(2)
    await read(client, {}, 'order-2')
    expect(mints).toHaveLength(1002)
    await read(client, {}, 'order-1')
    expect(mints).toHaveLength(1003)
  })
})

describe('a token that is refused', () => {
  it('is tried again while it is new, and no other waits in vain until one has worked', async () => {
    const { client: make, used, usedAt, refused } = gatewayOf()
    await using client = make({ deadlineMs: 60_000 })
    refused.set('all', 401)
    const began = performance.now()
    await failed(client)
    expect(used).toEqual(['t1', 't1', 't1', 't1', 't2'])
    expect(usedAt.slice(0, 4).map((at) => at - began)).toEqual([0, 250, 750, 1750])
    await failed(client)
    expect(used.slice(5)).toEqual(['t3', 't4'])
    refused.clear()
    await read(client)
    refused.set('all', 401)
    await failed(client)
    expect(used.slice(7)).toEqual(['t5', 't5', 't6', 't6', 't6', 't6'])
  })

  it.each([401, 498])(
    'with a %i after it has worked is replaced once, for all calls that found out',
    async (status) => {
      const { client: make, used, mints, refused } = gatewayOf()
      await using client = make()
      await read(client)
      refused.set('t1', status)
      await Promise.all([...Array.from({ length: 5 }, () => read(client)), advance(20_000)])
      expect(mints).toHaveLength(2)
      expect(used.slice(6)).toEqual(Array(5).fill('t2'))
    },
  )

  it.each([400, 403, 404, 419, 440])(
    'with a %i after it has worked is replaced once a minute',
    async (status) => {
      const { client: make, used, refused } = gatewayOf()
      await using client = make()
      refused.set('all', status)
      await failed(client)
      refused.clear()
      await read(client)
      refused.set('all', status)
      await failed(client)
      refused.clear()
      await read(client)
      refused.set('all', status)
      await failed(client)
      expect(used).toEqual(['t1', 't1', 't1', 't2', 't2', 't2'])
      await advance(60_000)
      await failed(client)
      expect(used.slice(6)).toEqual(['t2', 't3'])
    },
  )

  it.each([402, 405, 409, 422, 429, 451, 500, 503])(
    'is kept where a %i is about something else',
    async (status) => {
      const { client: make, used, refused } = gatewayOf()
      await using client = make()
      await read(client)
      refused.set('all', status)
      await failed(client)
      expect(new Set(used)).toEqual(new Set(['t1']))
    },
  )
})

describe('a request for a token', () => {
  /** A gateway that answers the mint with this number when the test says so. */
  function slowMint(slow: number) {
    let release = (): void => undefined
    const held = new Promise<undefined>((resolve) => (release = () => resolve(undefined)))
    return { ...gatewayOf((number) => (number === slow ? held : undefined)), release: () => release() }
  }

  it('goes on while somebody waits for it', async () => {
    const { client: make, mints, used, release } = slowMint(1)
    await using client = make()
    const ending = new AbortController()
    const gone = failure(read(client, { signal: ending.signal }))
    const stays = read(client)
    await advance(0)
    ending.abort('enough')
    expect(await gone).toMatchObject({ code: 'aborted', cause: 'enough' })
    expect(mints.map(({ aborted }) => aborted)).toEqual([false])
    release()
    await stays
    expect(used).toEqual(['t1'])
  })

  it('ends when the last one who waited has gone, at its deadline too, and is not remembered', async () => {
    const { client: make, mints, used } = slowMint(1)
    await using client = make()
    const late = failure(read(client, { deadlineMs: 500 }))
    await advance(500)
    expect(await late).toMatchObject({ code: 'timeout', message: expect.stringContaining('for a token') })
    expect(mints.map(({ aborted }) => aborted)).toEqual([true])
    await read(client)
    expect(used).toEqual(['t2'])
  })

  it('in the background does not end with the calls that joined it', async () => {
    const { client: make, used, release } = slowMint(2)
    await using client = make({ timeoutMs: 60_000, deadlineMs: 60_000 })
    await read(client)
    vi.advanceTimersByTime(870_000)
    await read(client)
    vi.advanceTimersByTime(29_000)
    const ending = new AbortController()
    const gone = failure(read(client, { signal: ending.signal }))
    await advance(0)
    ending.abort()
    expect(await gone).toMatchObject({ code: 'aborted' })
    release()
    await advance(0)
    await read(client)
    expect(used).toEqual(['t1', 't1', 't2'])
  })

  it('is tried as often as the most patient of its callers allows', async () => {
    const { client: make, mints } = gatewayOf((number) => (number <= 3 ? answer(503) : undefined))
    await using client = make()
    const all = [read(client), read(client, { retries: 3 }), read(client)]
    await advance(30_000)
    expect(await Promise.all(all)).toEqual([{}, {}, {}])
    expect(mints).toHaveLength(4)
  })

  it('waits for its permit for as long as the call that asks for it', async () => {
    const { client: make, refused } = gatewayOf()
    await using client = make({ deadlineMs: 3_000 })
    refused.set('t1', 429)
    expect(await failed(client)).toMatchObject({ code: 'rate_limit' })
    // Another token; and more patience than the client's own.
    const report = { method: 'GET', path: '/reports', operations: [operation('GET', '/reports')] } as const
    const patient = client.request(report, { deadlineMs: 60_000 })
    await advance(20_000)
    expect(await patient).toEqual({})
  })

  it('and goes on waiting for it when a more patient call joins', async () => {
    const { client: make, mints } = gatewayOf()
    const permits: (() => void)[] = []
    const acquire = () => new Promise<void>((resolve) => permits.push(resolve))
    await using client = make({ deadlineMs: 3_000, rateLimit: { acquire } })
    const hasty = failure(read(client))
    await advance(1_000)
    const patient = read(client, { deadlineMs: 60_000 })
    await advance(10_000)
    expect(await hasty).toMatchObject({ code: 'timeout' })
    for (let n = 0; n < 4; n++) {
      for (const permit of permits.splice(0)) permit()
      await advance(1)
    }
    expect(await patient).toEqual({})
    expect(mints).toHaveLength(1)
  })
})

describe('a token, while its call waits for a permit,', () => {
  /** A client that has a token, and a limiter that gives permits one by one, and counts them and what they were used for. */
  async function waiting(tokenValiditySecs: number) {
    const { client: make, used, mints } = gatewayOf()
    const permits: (() => void)[] = []
    const counts = { given: 0, sent: 0 }
    let isOpen = true
    const acquire = () => (isOpen ? undefined : new Promise<void>((resolve) => permits.push(resolve)))
    const client = make({ rateLimit: { acquire, sent: () => counts.sent++ }, tokenValiditySecs })
    await read(client)
    isOpen = false
    counts.sent = 0
    const give = async () => {
      counts.given++
      permits.shift()?.()
      await advance(0)
    }
    return { client, used, mints, counts, give }
  }
  const patient = { deadlineMs: 1_000_000 }

  it('may be replaced: the call takes the new one, and needs no second permit', async () => {
    const { client, used, mints, counts, give } = await waiting(900)
    const first = read(client, patient)
    await advance(869_000)
    const second = read(client)
    await advance(0)
    for (let n = 0; n < 3; n++) await give()
    await Promise.all([first, second])
    expect(used).toEqual(['t1', 't2', 't2'])
    expect([mints.length, counts]).toEqual([2, { given: 3, sent: 3 }])
    await client.close()
  })

  it('may run out: the call gives its permit back, gets a new token, and takes another permit', async () => {
    const { client, used, counts, give } = await waiting(10)
    const call = read(client, patient)
    await advance(11_000)
    for (let n = 0; n < 3; n++) await give()
    await call
    expect(used).toEqual(['t1', 't2'])
    expect(counts).toEqual({ given: 3, sent: 3 })
    await client.close()
  })
})
