import { beforeEach, describe, expect, test, vi } from 'vitest'
import { onGatewayEvent, type PermitRequest, type RateLimitEvent } from '../../../src/index.js'
import { postgresRateLimit } from '../../../src/stores/postgres/index.js'
import { RateLimitStoreError } from '../../../src/stores/redis/index.js'
import { expectNeverMoreThan } from '../../load/arrivals.js'
import { HandStore, limitOver } from './hand-store.js'
import { sameChances } from './same-chances.js'

beforeEach(() => {
  sameChances()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'Date', 'performance'] })
})
const never = () => new AbortController().signal

type Shared = ReturnType<typeof limitOver>

/** Takes permits one after another, as a client does. @returns when they came. */
function keepTaking(limit: Shared, signal: AbortSignal, priority: PermitRequest['priority'] = 'customer') {
  const times: number[] = []
  const failures: unknown[] = []
  void (async () => {
    while (!signal.aborted) {
      try {
        await limit.acquire(signal, { priority })
        times.push(performance.now())
        limit.sent()
      } catch (error) {
        if (!signal.aborted) failures.push(error)
      }
    }
  })()
  return { times, failures }
}

/** Permits that these take one after another, until the end. */
function allTaking(limits: readonly Shared[], priority: PermitRequest['priority'] = 'customer') {
  const endings = limits.map(() => new AbortController())
  const each = limits.map((limit, n) => keepTaking(limit, endings[n]?.signal ?? never(), priority))
  const end = () => {
    for (const ending of endings) ending.abort()
    return each.flatMap(({ times }) => times)
  }
  return { each, end }
}

async function taken(limit: Shared, priority: PermitRequest['priority'] = 'customer') {
  const askedAt = performance.now()
  const permit = await limit.acquire(never(), { priority })
  limit.sent()
  return { useBefore: permit?.useBefore ?? Number.NaN, afterMs: performance.now() - askedAt }
}

describe('a permit', () => {
  test('is good for 40 ms after its slot at first, by the clock of the process', async () => {
    const permit = await taken(limitOver(new HandStore()))
    expect(permit.useBefore - performance.now()).toBeCloseTo(40, -1)
  })

  test('costs one ask, and nobody asks again while it waits for its slot', async () => {
    const store = new HandStore()
    const limits = [1, 2, 3, 4].map(() => limitOver(store))
    const all = allTaking(limits)
    await vi.advanceTimersByTimeAsync(20_000)
    const times = all.end()
    expectNeverMoreThan(10, times)
    expect(times.length).toBeGreaterThan(180)
    expect(store.reads).toBeLessThanOrEqual(1.05 * times.length + 4)
    for (const one of all.each) expect(one.times.length).toBeGreaterThan(0.6 * (times.length / 4))
  })

  test('whose response came too late is not given out, and another slot is asked for', async () => {
    const store = new HandStore()
    store.travelMs = [1, 200]
    const permit = taken(limitOver(store))
    await vi.advanceTimersByTimeAsync(201)
    store.travelMs = [0, 0]
    await vi.advanceTimersByTimeAsync(1000)
    const { useBefore, afterMs } = await permit
    expect(afterMs).toBeLessThan(800)
    expect(useBefore).toBeGreaterThan(0)
    expect(store.written.at(-1)?.count).toBeLessThanOrEqual(3)
  })

  test('comes also from a store that is far away', async () => {
    const store = new HandStore()
    store.travelMs = [60, 60]
    const ending = new AbortController()
    const { times } = keepTaking(limitOver(store), ending.signal)
    await vi.advanceTimersByTimeAsync(10_000)
    ending.abort()
    expect(times.length).toBeGreaterThan(30)
  })

  test('of a wait that is given up is the next one’s, and no timer stays', async () => {
    const store = new HandStore()
    const limit = limitOver(store)
    for (let n = 0; n < 10; n++) await taken(limit)
    const ending = new AbortController()
    const given = expect(limit.acquire(ending.signal, { priority: 'customer' })).rejects.toBe('enough')
    await vi.advanceTimersByTimeAsync(500)
    ending.abort('enough')
    await given
    expect(vi.getTimerCount()).toBe(0)
    const next = taken(limit)
    await vi.advanceTimersByTimeAsync(600)
    expect((await next).afterMs).toBeCloseTo(585, -1)
    expect(store.written.at(-1)?.count).toBe(11)
  })

  test('is told to the store with when it was used', async () => {
    const store = new HandStore()
    const limit = limitOver(store)
    await limit.acquire(never(), { priority: 'customer' })
    await vi.advanceTimersByTimeAsync(20)
    const sentAt = performance.now()
    limit.sent()
    await taken(limit)
    const [usedAt = 0] = store.written.at(-1)?.slots.map(({ usedBy }) => usedBy) ?? []
    // The store's clock shows whole milliseconds.
    expect(usedAt - store.offsetMs - sentAt).toBeGreaterThanOrEqual(0)
    expect(usedAt - store.offsetMs - sentAt).toBeLessThanOrEqual(2)
  })
})

test('when a slot was used is told to the store again when the call that told it failed', async () => {
  const store = new HandStore()
  const limit = limitOver(store)
  await taken(limit)
  const usedAt = Math.ceil(performance.now() + store.offsetMs)
  const counted = () => store.written.at(-1)?.slots[0]?.usedBy ?? 0
  expect(counted()).toBeGreaterThan(usedAt + 30)
  store.state = 'refusing'
  const permit = taken(limit)
  await vi.advanceTimersByTimeAsync(1)
  store.comeBack()
  await vi.advanceTimersByTimeAsync(1000)
  await permit
  expect(counted()).toBeLessThanOrEqual(usedAt + 2)
})

describe('a 429', () => {
  test('in one process holds all of them back', async () => {
    const store = new HandStore()
    const [one, other] = [limitOver(store), limitOver(store)]
    await taken(one)
    one.pause(1500)
    await vi.advanceTimersByTimeAsync(1)
    const permit = taken(other)
    await vi.advanceTimersByTimeAsync(1600)
    expect((await permit).afterMs).toBeCloseTo(1499, -1)
  })

  test('that the store has not heard of is kept to all the same, and the store is not asked meanwhile', async () => {
    const store = new HandStore()
    const limit = limitOver(store)
    await taken(limit)
    store.state = 'refusing'
    limit.pause(60_000)
    await vi.advanceTimersByTimeAsync(1)
    store.state = 'there'
    const asked = store.reads
    const permit = taken(limit)
    await vi.advanceTimersByTimeAsync(60_100)
    expect((await permit).afterMs).toBeGreaterThanOrEqual(59_999)
    expect(store.reads - asked).toBeLessThanOrEqual(2)
  })

  test('makes a slot worthless that this process holds', async () => {
    const store = new HandStore()
    const limit = limitOver(store)
    for (let n = 0; n < 10; n++) await taken(limit)
    const permit = taken(limit)
    await vi.advanceTimersByTimeAsync(100)
    limit.pause(3000)
    await vi.advanceTimersByTimeAsync(3100)
    expect((await permit).afterMs).toBeGreaterThanOrEqual(3000)
  })
})

describe('while the store is away', () => {
  test.each([
    [
      Object.assign(new Error('postgres://user:secret@host'), { code: '42P01' }),
      '(42P01: its tables are missing, so run what schemaSql() gives)',
    ],
    [Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }), '(ECONNREFUSED)'],
    [Object.assign(new Error('secret'), { code: 'a secret' }), '(Error)'],
    ['secret', '(string)'],
  ])('the warning names the kind of what it said, and no more: %s', async (reason, kind) => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const connection = { query: () => Promise.reject(reason) }
    const limit = postgresRateLimit({ connection, name: 'M-1', processes: 8 })
    Promise.resolve(limit.acquire(never(), { priority: 'customer' })).catch(() => {})
    await vi.advanceTimersByTimeAsync(3000)
    const [text] = warned.mock.calls[0] ?? []
    expect(text).toBe(
      `PostgreSQL, where the shared rate limit is kept, can't be asked ${kind}, so this process continues at its share.`,
    )
  })

  test.each([
    ['refuses', (store: HandStore) => (store.state = 'refusing')],
    ['takes 800 ms', (store: HandStore) => (store.travelMs = [400, 400])],
  ])(
    'that %s, each process goes on at half of its share, says so once, and all together keep within the limit',
    async (_, goAway) => {
      const store = new HandStore()
      const reasons: unknown[] = []
      const events: RateLimitEvent[] = []
      const stopListening = onGatewayEvent('merchant-gateway:rate-limit', (event) => events.push(event))
      const limits = Array.from({ length: 8 }, () =>
        limitOver(store, { processes: 8, onStoreAway: (reason) => reasons.push(reason) }),
      )
      const all = allTaking(limits)
      await vi.advanceTimersByTimeAsync(5000)
      goAway(store)
      const awayAt = performance.now()
      await vi.advanceTimersByTimeAsync(15_000)
      const backAt = performance.now()
      store.forget()
      store.travelMs = [0, 0]
      store.comeBack()
      await vi.advanceTimersByTimeAsync(20_000)
      stopListening()
      const times = all.end()
      expectNeverMoreThan(10, times)
      const between = (from: number, to: number) => times.filter((at) => at >= from && at < to).length
      // Half of what there is.
      expect(between(awayAt + 4000, backAt)).toBeGreaterThan(4 * 11)
      expect(between(backAt + 7000, backAt + 20_000)).toBeGreaterThan(9 * 13)
      expect(reasons).toHaveLength(8)
      const kinds = events.map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind === 'store-away')).toHaveLength(8)
      expect(kinds.filter((kind) => kind === 'store-back')).toHaveLength(8)
    },
  )

  test('a store that hangs is asked once, and its late responses take no slots from the others', async () => {
    const store = new HandStore()
    const limits = Array.from({ length: 4 }, () => limitOver(store, { processes: 4 }))
    const all = allTaking(limits)
    await vi.advanceTimersByTimeAsync(3000)
    store.state = 'hanging'
    const asked = store.reads
    await vi.advanceTimersByTimeAsync(8000)
    expect(store.reads - asked).toBeLessThanOrEqual(4)
    const backAt = performance.now()
    store.comeBack()
    await vi.advanceTimersByTimeAsync(12_000)
    const times = all.end()
    expectNeverMoreThan(10, times)
    expect(times.filter((at) => at >= backAt + 6000).length).toBeGreaterThan(50)
  })

  test.each([350, 700, 2000])(
    'a store that always takes 2 × %i ms is away too, and makes no call wait for its limit',
    async (ms) => {
      const store = new HandStore()
      const reasons: unknown[] = []
      const limit = limitOver(store, { processes: 2, onStoreAway: (reason) => reasons.push(reason) })
      for (let n = 0; n < 10; n++) await taken(limit)
      store.travelMs = [ms, ms]
      await vi.advanceTimersByTimeAsync(5000)
      const ending = new AbortController()
      const { times } = keepTaking(limit, ending.signal)
      await vi.advanceTimersByTimeAsync(20_000)
      const slowUntil = performance.now()
      expect(reasons).toHaveLength(1)
      // Five in 1080 ms are its share, and it takes half, once no slot of the store can be in the same second.
      const atShare = times.filter((at) => at >= slowUntil - 16_000)
      expect(atShare.length).toBeGreaterThanOrEqual(35)
      expect(atShare.length).toBeLessThanOrEqual(38)
      store.travelMs = [1, 1]
      await vi.advanceTimersByTimeAsync(20_000)
      ending.abort()
      expect(reasons).toHaveLength(1)
      expectNeverMoreThan(10, times)
      expect(times.filter((at) => at >= performance.now() - 10_000).length).toBeGreaterThan(80)
    },
  )

  test('a call of a process that was idle meanwhile has its share at once from a store that is slow', async () => {
    const store = new HandStore()
    const limit = limitOver(store, { processes: 2 })
    await taken(limit)
    store.travelMs = [300, 300]
    const first = taken(limit)
    await vi.advanceTimersByTimeAsync(4000)
    await first
    for (let n = 0; n < 5; n++) {
      await vi.advanceTimersByTimeAsync(5000)
      const permit = taken(limit)
      await vi.advanceTimersByTimeAsync(1000)
      expect((await permit).afterMs).toBeLessThan(5)
    }
  })

  test('for a moment, of which only some know, all together keep within the limit', async () => {
    const store = new HandStore()
    const [unlucky, unlucky2, others] = [1, 2, 3].map(() => limitOver(store, { processes: 3 }))
    if (unlucky === undefined || unlucky2 === undefined || others === undefined) throw new Error('three')
    // For the others the store was never away: they did not ask in that moment.
    await taken(others)
    store.state = 'refusing'
    const first = allTaking([unlucky, unlucky2])
    await vi.advanceTimersByTimeAsync(100)
    store.comeBack()
    const last = allTaking([others])
    await vi.advanceTimersByTimeAsync(10_000)
    const times = [...first.end(), ...last.end()]
    expectNeverMoreThan(10, times)
    expect(times.length).toBeGreaterThan(70)
  })

  test('and back while a process was idle, that process asks before it goes on at its share', async () => {
    const store = new HandStore()
    const idle = limitOver(store, { processes: 2 })
    const other = limitOver(store, { processes: 2 })
    await taken(idle)
    store.state = 'refusing'
    const permit = taken(idle)
    await vi.advanceTimersByTimeAsync(3000)
    await permit
    await vi.advanceTimersByTimeAsync(20_000)
    store.comeBack()
    store.travelMs = [20, 20]
    const first = allTaking([other])
    await vi.advanceTimersByTimeAsync(1000)
    const last = allTaking([idle])
    await vi.advanceTimersByTimeAsync(5000)
    expectNeverMoreThan(10, [...first.end(), ...last.end()])
  })

  test('a store that is slow gives what it can where there is no share, and calls fail where that is nothing', async () => {
    const store = new HandStore()
    const limit = limitOver(store)
    await taken(limit)
    store.travelMs = [300, 300]
    const ending = new AbortController()
    const { times, failures } = keepTaking(limit, ending.signal)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(failures).toEqual([])
    expect(times.length).toBeGreaterThanOrEqual(10)
    store.travelMs = [2000, 2000]
    await vi.advanceTimersByTimeAsync(20_000)
    ending.abort()
    expect(failures[0]).toBeInstanceOf(RateLimitStoreError)
  })

  test('calls wait for it without a share, and fail after 5 s', async () => {
    const store = new HandStore()
    store.state = 'refusing'
    const limit = limitOver(store)
    const error: Promise<unknown> = taken(limit).catch((reason) => reason)
    await vi.advanceTimersByTimeAsync(4900)
    const isPending = await Promise.race([error.then(() => false), Promise.resolve(true)])
    expect(isPending).toBe(true)
    await vi.advanceTimersByTimeAsync(400)
    expect(await error).toBeInstanceOf(RateLimitStoreError)
    expect(String(await error)).toContain('with the option processes')
    // It has been away for long enough: the next one is told at once.
    await expect(taken(limit)).rejects.toBeInstanceOf(RateLimitStoreError)
    store.comeBack()
    expect((await taken(limit)).afterMs).toBe(0)
  })
})

test('a store that has forgotten lets nobody send more', async () => {
  const store = new HandStore()
  const all = allTaking(Array.from({ length: 8 }, () => limitOver(store)))
  for (let n = 0; n < 4; n++) {
    await vi.advanceTimersByTimeAsync(5300 + n * 70)
    store.forget()
  }
  await vi.advanceTimersByTimeAsync(5000)
  expectNeverMoreThan(10, all.end())
})

test('nor does one that is asked first by a process that knows nothing of it, or by one that was idle', async () => {
  const store = new HandStore()
  const idle = limitOver(store)
  await taken(idle)
  await vi.advanceTimersByTimeAsync(60_000)
  const busy = allTaking(Array.from({ length: 8 }, () => limitOver(store)))
  await vi.advanceTimersByTimeAsync(5000)
  store.forget()
  const late = allTaking([idle, limitOver(store)])
  await vi.advanceTimersByTimeAsync(5000)
  const all = [...busy.end(), ...late.end()]
  expectNeverMoreThan(10, all)
  expect(all.length).toBeGreaterThan(60)
})

test('nor does one that forgets a long pause, during which some wait for their slots behind it', async () => {
  for (const forgetAfterMs of [1000, 19_000, 19_950]) {
    const store = new HandStore()
    const [told, ...waiting] = Array.from({ length: 9 }, () => limitOver(store))
    told?.pause(20_000)
    await vi.advanceTimersByTimeAsync(10)
    const before = allTaking(waiting.slice(0, 4))
    await vi.advanceTimersByTimeAsync(forgetAfterMs)
    store.forget()
    const after = allTaking(waiting.slice(4))
    await vi.advanceTimersByTimeAsync(26_000 - forgetAfterMs)
    const all = [...before.end(), ...after.end()]
    expectNeverMoreThan(10, all)
    expect(all.length).toBeGreaterThan(20)
  }
})

test.each([8, 12, 20, 30])(
  'nor does one that forgets the slots of %i busy processes that nobody has counted',
  async (count) => {
    for (const fresh of [1, 3]) {
      const store = new HandStore()
      const busy = allTaking(Array.from({ length: count }, () => limitOver(store)))
      await vi.advanceTimersByTimeAsync(9037)
      store.forget()
      const late = allTaking(Array.from({ length: fresh }, () => limitOver(store)))
      await vi.advanceTimersByTimeAsync(8000)
      const all = [...busy.end(), ...late.end()]
      expectNeverMoreThan(10, all)
      expect(all.length).toBeGreaterThan(110)
    }
  },
)

test.each([
  { processes: 8, ms: 1 },
  { processes: 8, ms: 20 },
  { processes: 30, ms: 10 },
])(
  '$processes processes that meet at a store $ms ms away part, and none takes it for away',
  async ({ processes, ms }) => {
    const store = new HandStore()
    store.travelMs = [ms, ms]
    const reasons: unknown[] = []
    const onStoreAway = (reason: unknown) => reasons.push(reason)
    const all = allTaking(
      Array.from({ length: processes }, () => limitOver(store, { processes, onStoreAway })),
    )
    await vi.advanceTimersByTimeAsync(30_000)
    const times = all.end()
    expectNeverMoreThan(10, times)
    expect(reasons).toEqual([])
    const from = Math.min(...times) + 3000
    expect(times.filter((at) => at >= from && at < from + 20_000).length).toBeGreaterThan(8.5 * 20)
    expect(store.written.length).toBeLessThan(1.3 * times.length)
    expect(store.reads).toBeLessThan((processes > 10 ? 4 : 1.5) * times.length)
  },
)

describe('a store', () => {
  test('that answers after a second gives permits all the same', async () => {
    const store = new HandStore()
    store.travelMs = [500, 600]
    const ending = new AbortController()
    const { times } = keepTaking(limitOver(store, { storeTimeoutMs: 3000 }), ending.signal)
    await vi.advanceTimersByTimeAsync(20_000)
    ending.abort()
    // One takes three seconds: there and back twice, and what isn't known of its clock.
    expect(times.length).toBeGreaterThanOrEqual(6)
  })

  test('that was not asked for half an hour keeps a slot no longer than it is good', async () => {
    const store = new HandStore()
    store.travelMs = [2, 2]
    const limit = limitOver(store)
    for (let n = 0; n < 2; n++) {
      const permit = taken(limit)
      await vi.advanceTimersByTimeAsync(10)
      await permit
      if (n === 0) await vi.advanceTimersByTimeAsync(1_800_000)
    }
    const { at = 0, usedBy = 0 } = store.written.at(-1)?.slots.at(-1) ?? {}
    expect(usedBy - at).toBeLessThanOrEqual(50)
  })
})

describe('background', () => {
  test('of eight processes leaves a customer a slot within 250 ms, and shares fairly', async () => {
    const store = new HandStore()
    const all = allTaking(
      Array.from({ length: 8 }, () => limitOver(store)),
      'background',
    )
    const web = limitOver(store)
    const waits: number[] = []
    await vi.advanceTimersByTimeAsync(3000)
    for (let n = 0; n < 60; n++) {
      await vi.advanceTimersByTimeAsync(500 + ((n * 37) % 200))
      const permit = taken(web)
      await vi.advanceTimersByTimeAsync(300)
      waits.push((await permit).afterMs)
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(250)
    const times = all.end()
    for (const one of all.each) expect(one.times.length).toBeGreaterThan(0.6 * (times.length / 8))
    expectNeverMoreThan(10, times)
    const permits = times.length + waits.length
    expect(permits).toBeGreaterThan(9 * 48)
    expect(store.reads).toBeLessThan(4 * permits)
  })
})
