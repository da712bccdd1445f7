import { expect, vi } from 'vitest'
import type { Limiter } from '../../../src/index.js'
import type { ReservedSlot } from '../../../src/stores/rate-limit/ledger.js'

/** Each waits by a signal of its own: Node warns of one that eleven listen to. */
const never = () => new AbortController().signal

type KeptLedger = { readonly count: number; readonly slots: readonly ReservedSlot[] }

/** Processes that ask at once meet in the store: what one has written there, no other writes over. */
export async function expectNoneLost(
  limits: readonly Limiter[],
  ledger: () => Promise<KeptLedger>,
): Promise<void> {
  await Promise.all(limits.map((limit) => limit.acquire(never(), { priority: 'customer' })))
  const { count } = await ledger()
  // More than were taken where a slot was due while this process stood still.
  expect(count).toBeGreaterThanOrEqual(limits.length)
}

/** Two limits of one name: the first takes all that there is in a second, and the other has to wait for the next. */
export async function expectShared(
  one: Limiter,
  other: Limiter,
  ledger: () => Promise<KeptLedger>,
): Promise<void> {
  for (let n = 0; n < 10; n++) {
    await one.acquire(never(), { priority: 'customer' })
    one.sent?.()
  }
  // More than ten where a slot was due while this process stood still.
  const {
    count,
    slots: [first],
  } = await ledger()
  const ending = new AbortController()
  const given = other.acquire(ending.signal, { priority: 'customer' })
  // Its slot is reserved, and not due yet.
  const { slots } = await vi.waitFor(async () => {
    const kept = await ledger()
    expect(kept.count).toBeGreaterThan(count)
    return kept
  })
  expect(slots.at(-1)?.at).toBeGreaterThanOrEqual(Number(first?.at) + 1080)
  ending.abort('enough')
  // On a slow machine its slot may have been due before: it was given it then, at the time that was looked at.
  await Promise.resolve(given).catch((reason: unknown) => expect(reason).toBe('enough'))
}
