import fc from 'fast-check'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Limiter, onGatewayEvent, type PermitRequest, type RateLimitEvent } from '../../../src/index.js'
import { type Ledger, newLedger, soundLedger } from '../../../src/stores/rate-limit/ledger.js'
import { HandStore, limitOver } from './hand-store.js'

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'Date', 'performance'] }),
)
const never = () => new AbortController().signal
const yearMs = 365 * 86_400_000

const limitOf = (store: HandStore) => limitOver(store, { processes: 2 })

/** Whether the next permit comes within so long. */
async function goesOn(
  limit: Limiter,
  withinMs: number,
  priority: PermitRequest['priority'] = 'customer',
): Promise<boolean> {
  let isGiven = false
  void Promise.resolve(limit.acquire(never(), { priority })).then(() => {
    isGiven = true
    limit.sent?.()
  })
  await vi.advanceTimersByTimeAsync(withinMs)
  return isGiven
}

const now = new HandStore().offsetMs
const absurd = fc.constantFrom<unknown>(
  ...[now + yearMs, 1e12 * now, 1e300, -1, 0.5, null, '', 'soon', true, [], {}, [[]], [null]],
)
const slot = fc.record({ at: absurd, usedBy: absurd, grant: absurd })

/** A ledger with something in it that no store of this version has written, or no ledger at all. */
const hostile: fc.Arbitrary<string> = fc.oneof(
  fc
    .constantFrom(...Object.keys(newLedger(1, 0)))
    .chain((field) => absurd.map((value) => JSON.stringify({ ...newLedger(1, 0), [field]: value }))),
  fc
    .array(slot, { minLength: 1, maxLength: 3 })
    .map((slots) => JSON.stringify({ ...newLedger(1, 0), slots })),
  fc.integer({ min: 1, max: 10_000_000 }).map((length) => '['.repeat(length)),
  fc.json(),
  fc.string(),
)

describe('a ledger that somebody else has written', () => {
  test('stops no process for longer than a new one would, neither customers nor bulk', async () => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    await fc.assert(
      fc.asyncProperty(hostile, fc.constantFrom('customer', 'background'), async (text, priority) => {
        const store = new HandStore()
        const [known, fresh] = [limitOf(store), limitOf(store)]
        expect(await goesOn(known, 100)).toBe(true)
        store.keep(text)
        expect(await goesOn(known, 3000, priority)).toBe(true)
        expect(await goesOn(fresh, 3000, priority)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('is told by a warning once, and by an event each time', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const events: RateLimitEvent[] = []
    const stopListening = onGatewayEvent('merchant-gateway:rate-limit', (event) => events.push(event))
    const store = new HandStore()
    const limit = limitOf(store)
    for (let n = 0; n < 2; n++) {
      store.keep('{"slots":"soon"}')
      expect(await goesOn(limit, 3000)).toBe(true)
    }
    stopListening()
    expect(warned).toHaveBeenCalledTimes(1)
    expect(warned.mock.calls[0]?.[0]).toContain("What Redis kept of the shared rate limit can't be true")
    expect(events.map(({ kind }) => kind)).toEqual(['store-reset', 'store-reset'])
  })

  test('is read no further than a ledger may be long', async () => {
    const store = new HandStore()
    const read = vi.spyOn(store, 'read')
    await limitOf(store).acquire(never(), { priority: 'customer' })
    expect(read).toHaveBeenCalledWith(expect.toSatisfy((longest: number) => longest < 10_000))
  })

  test.each([-1, Number.NaN, 1e300, Number.POSITIVE_INFINITY])(
    'beside a clock of %s makes the store away',
    async (time) => {
      const store = new HandStore()
      vi.spyOn(store, 'read').mockResolvedValue([time, '', ''])
      const reasons: unknown[] = []
      const limit = limitOver(store, { onStoreAway: (reason) => reasons.push(reason) })
      expect(await goesOn(limit, 1000)).toBe(false)
      expect(String(reasons)).toContain('the clock of Redis shows no time')
    },
  )
})

describe('what is kept of the rate limit', () => {
  const at = 1_763_790_000_000
  const kept: Ledger = {
    ...newLedger(at - 10_000, 1000),
    count: 1,
    slots: [{ at: at - 500, usedBy: at - 490, grant: 1 }],
  }
  const read = (more: Partial<Ledger>) => soundLedger({ ...kept, ...more }, 1080, at)

  test.each<[string, Partial<Ledger>]>([
    ['some use', {}],
    [
      'the longest pause, in which some wait for their slots behind it',
      {
        notBefore: at + 60_000,
        spacedUntil: at + 360_000,
        slots: [{ at: at + 61_000, usedBy: at + 61_040, grant: 1 }],
      },
    ],
    ['a return from being alone', { sharesUntil: at + 5000 }],
    ['a full line of background work', { backgroundAt: at + 100, lastTicket: 107, servedTicket: 7 }],
  ])('is believed after %s', (_, more) => {
    expect(read(more)).toEqual({ ...kept, ...more })
  })

  const absurd = at + yearMs
  test.each<[string, Partial<Ledger>]>([
    ['begun', { id: absurd }],
    ['closed until then', { notBefore: absurd }],
    ['spaced until then', { spacedUntil: absurd }],
    ['shared until then', { sharesUntil: absurd }],
    ['used by bulk', { backgroundAt: absurd }],
    ['given', { slots: [{ at: absurd, usedBy: absurd, grant: 1 }] }],
    ['used', { slots: [{ at, usedBy: absurd, grant: 1 }] }],
  ])('begins anew where it is %s a year ahead', (_, more) => {
    expect(read(more)).toBeUndefined()
  })

  test.each<[string, Partial<Ledger>]>([
    ['more than a hundred tickets that nobody was served for', { lastTicket: 101 }],
    ['tickets that were served before they were drawn', { servedTicket: 1 }],
    ['slots out of their order', { slots: [at, at - 1].map((one) => ({ at: one, usedBy: one, grant: 1 })) }],
    ['a count that no longer counts', { count: 2 ** 52 }],
    ['a part of a millisecond', { notBefore: at + 0.5 }],
    ['a time before all times', { backgroundAt: -1 }],
  ])('begins anew where it has %s', (_, more) => {
    expect(read(more)).toBeUndefined()
  })
})
