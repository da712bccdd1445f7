import { isObject } from '../../client/input/values.js'

/** What a store keeps of the shared rate limit, as JSON. Times are those of the store's clock. */
export interface Ledger {
  /** When it was begun: another one than before means that the store has forgotten. */
  readonly id: number
  /** How many slots were ever reserved in it. */
  readonly count: number
  /** Of the last two windows and of those to come, in the order of their times. */
  readonly slots: readonly ReservedSlot[]
  /** Nobody gets a slot before: after a 429, and after the slots were forgotten. */
  readonly notBefore: number
  /** Until then slots are spaced evenly, since a 429 may mean that the gateway counts so. */
  readonly spacedUntil: number
  /** Until then each process keeps to its share as well. */
  readonly sharesUntil: number
  /** When background work got its last slot. */
  readonly backgroundAt: number
  /** The last ticket that a process got which waits with background work. */
  readonly lastTicket: number
  /** The highest whose process got its slot. */
  readonly servedTicket: number
}

export interface ReservedSlot {
  readonly at: number
  /** By when it is used at the latest: the window counts from then, since nobody knows better before. */
  readonly usedBy: number
  /** By this number its process reports what became of it. */
  readonly grant: number
}

/** The longest pause, whatever the gateway says or the store's clock shows: after it, one request tells more. */
export const longestPauseMs = 60_000
/** After a 429, slots are spaced evenly for so long. */
export const spacedMs = 300_000
export const longestValidMs = 10_000
/** Slots lie no more windows ahead, of now or of the end of a pause, unless the store's clock was set back. */
export const longestLine = 10
/** So many wait with tickets of their own; those behind them share the last. */
export const mostTickets = 100

/** No ledger is a longer text. */
export function longestText(slots: number): number {
  return 500 + 70 * slots * (longestLine + 3)
}

const empty = {
  count: 0,
  slots: [],
  spacedUntil: 0,
  sharesUntil: 0,
  backgroundAt: 0,
  lastTicket: 0,
  servedTicket: 0,
}

/** An empty ledger. The store may have forgotten another one, so nobody gets a slot until its slots can't matter. */
export function newLedger(now: number, clearingMs: number): Ledger {
  return { ...empty, id: now, notBefore: now + clearingMs }
}

/** The ledger that was kept, if it can be true: a time that is far ahead would stop all processes until then. */
export function soundLedger(kept: unknown, windowMs: number, now: number): Ledger | undefined {
  if (!isLedger(kept)) return undefined
  const lineMs = longestLine * windowMs
  const lineEnds = Math.max(now, Math.min(kept.notBefore, now + longestPauseMs)) + lineMs
  const isSound =
    kept.id <= now &&
    kept.notBefore <= now + longestPauseMs + lineMs &&
    kept.spacedUntil <= now + longestPauseMs + spacedMs + lineMs &&
    kept.sharesUntil <= now + lineMs &&
    kept.backgroundAt <= lineEnds &&
    kept.lastTicket >= kept.servedTicket &&
    kept.lastTicket <= kept.servedTicket + mostTickets &&
    kept.slots.every(
      ({ at, usedBy }, n) =>
        at >= (kept.slots[n - 1]?.at ?? 0) && at <= lineEnds && usedBy <= Math.max(at, now) + longestValidMs,
    )
  return isSound ? kept : undefined
}

const numbers = ['id', 'notBefore', ...Object.keys(empty).filter((name) => name !== 'slots')]
const slotNumbers = ['at', 'usedBy', 'grant']

function isLedger(kept: unknown): kept is Ledger {
  if (!isObject(kept) || !Array.isArray(kept.slots)) return false
  return holds(kept, numbers) && kept.slots.every((slot) => isObject(slot) && holds(slot, slotNumbers))
}

function holds(object: Record<string, unknown>, names: readonly string[]): boolean {
  return names.every((name) => isCount(object[name]))
}

/** A whole number that still is one after a few are added. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 52
}
