import { isObject } from '../../client/input/own.js'
import type { Ask } from './ask.js'

/** What is kept of the rate limit, in one place for all processes, as JSON. Times are those of the place's own clock. */
export interface Ledger {
  readonly id: number
  readonly count: number
  /** The last of them, in the order in which they were given, which is that of their times. */
  readonly slots: readonly GivenSlot[]
  /** By when those were used at the latest that were given before and are not in the list any more. */
  readonly goneBy: number
  /** Nobody gets a slot before: after a 429, and after the slots were forgotten. */
  readonly notBefore: number
  /** Until then slots are spaced evenly, since a 429 may mean that the gateway counts so. */
  readonly spacedUntil: number
  /** Until then each process keeps to its share as well. */
  readonly sharesUntil: number
  readonly bulkAt: number
  readonly bulkLine: readonly number[]
}

export interface GivenSlot {
  readonly at: number
  /** By when it is used at the latest: the window counts from then, since nobody knows better before. */
  readonly usedBy: number
  readonly grant: number
}

/** A pause is never longer, whatever the gateway says or becomes of the store's clock: after it, one request tells more. */
export const longestPauseMs = 60_000
export const spacedMs = 300_000
/** Slots that reach further than so many windows after now, or after a pause, can't be true: the store's clock was set back. */
const longestLine = 30
export const longestGoodMs = 10_000
export const longestBulkLine = 100
/** Beside a window's worth, so many slots are remembered: some are given back, and those before them still count. */
const reserveSlots = 20

export function keptSlots(slots: number): number {
  return slots + reserveSlots
}

/** No ledger is longer, as text: what is longer isn't read. */
export function longestText(slots: number): number {
  return 4096 + 80 * keptSlots(slots)
}

const empty = { count: 0, slots: [], goneBy: 0, spacedUntil: 0, sharesUntil: 0, bulkAt: 0, bulkLine: [] }

/**
 * An empty ledger. It may be the first, or one that was forgotten with all its slots: after a restart, FLUSHALL, an
 * eviction. Nobody gets a slot until those that were given before can't matter.
 */
export function newLedger(now: number, clearingMs: number): Ledger {
  return { ...empty, id: now, notBefore: now + clearingMs }
}

/**
 * The ledger that was kept, if it can be true. Somebody else, another version or a clock that was changed may have
 * left anything there, and a time that is far ahead would stop all processes until then.
 */
export function soundLedger(
  kept: unknown,
  { windowMs }: Pick<Ask, 'windowMs'>,
  now: number,
): Ledger | undefined {
  if (!isLedger(kept)) return undefined
  const lineMs = longestLine * windowMs
  const opensAt = Math.max(now, Math.min(kept.notBefore, now + longestPauseMs))
  const lineEnds = opensAt + lineMs
  const isSound =
    kept.id <= now &&
    kept.notBefore <= now + longestPauseMs + lineMs &&
    kept.spacedUntil <= now + longestPauseMs + spacedMs + lineMs &&
    kept.sharesUntil <= now + lineMs &&
    kept.bulkAt <= lineEnds &&
    kept.goneBy <= lineEnds + longestGoodMs &&
    kept.bulkLine.length <= longestBulkLine &&
    kept.slots.every(
      ({ at, usedBy }, n) =>
        at >= (kept.slots[n - 1]?.at ?? 0) && at <= lineEnds && usedBy <= Math.max(at, now) + longestGoodMs,
    )
  return isSound ? kept : undefined
}

const numbers = ['id', 'count', 'goneBy', 'notBefore', 'spacedUntil', 'sharesUntil', 'bulkAt']

function isLedger(kept: unknown): kept is Ledger {
  return (
    isObject(kept) &&
    numbers.every((field) => isCount(kept[field])) &&
    Array.isArray(kept.bulkLine) &&
    kept.bulkLine.every(isCount) &&
    Array.isArray(kept.slots) &&
    kept.slots.every((one) => isObject(one) && isCount(one.at) && isCount(one.usedBy) && isCount(one.grant))
  )
}

/** A whole number that still is one after a few are added. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 52
}
