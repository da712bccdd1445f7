import {
  type Ledger,
  longestPauseMs,
  longestValidMs,
  mostTickets,
  newLedger,
  type ReservedSlot,
  spacedMs,
} from './ledger.js'
import { gapMs, type Pace } from './pace.js'

/** What a process wants of the shared rate limit, and what it reports. Durations are in whole milliseconds. */
export interface SlotRequest extends Pace {
  /** `'background'` reserves nothing ahead; `'nothing'` only reports. */
  readonly want: 'customer' | 'background' | 'nothing'
  /** How long the response travels: no slot before that is of any use. */
  readonly leadMs: number
  /** No slot further ahead is reserved. */
  readonly aheadMs: number
  /** Of the last response to background work of this process; 0 where it has none, or has got its slot. */
  readonly ticket: number
  /** For so long the process may use the slot: until it reports, the slot counts as used at the end of that time. */
  readonly validMs: number
  /** A number of this request alone, which names its slot. */
  readonly grant: number
  /** Slots of this process, and when each was used by the store's clock: 0 for one that was not. */
  readonly used: readonly (readonly [grant: number, usedAt: number])[]
  /** Of the last response to this process; 0 and 0 where there was none. */
  readonly knownId: number
  readonly knownCount: number
  /** Should the store have forgotten its slots: how long nobody may get one, as far as this process knows. */
  readonly quietMs: number
  /** The same for a ledger that begins: whoever has slots of the one before may not have asked yet. */
  readonly clearingMs: number
  /** The gateway said 429: nobody gets a slot for so long. 0 for no 429. */
  readonly pauseMs: number
  /** This process sent without the store: for so long all keep to a share. 0 if it didn't. */
  readonly returningMs: number
}

export interface SlotResponse {
  /** The store's clock. */
  readonly now: number
  readonly id: number
  readonly count: number
  /** When the slot that is reserved begins, by the store's clock. */
  readonly slot?: number
  /** Where none is reserved: when to ask again. */
  readonly retryInMs?: number
  /** The place of background work in the line. */
  readonly ticket?: number
  /** For so long each process keeps to its share as well; 0 mostly. */
  readonly sharesMs: number
}

/** Background work is guaranteed one slot in so many gaps: about a tenth of all, since some are not used. */
const gapsPerGuaranteed = 9
/** It asks again so long before its turn, so that it doesn't miss it. */
const earlyMs = 10
/** It may take a slot that is so near: that counts as idle. */
const nearMs = 40
/** Slots are so much of a gap apart, and not all of it: then one that is used late doesn't make all that follow late. */
const closestPart = 0.9

/**
 * The rule of the shared rate limit: a sliding window log, in which requests reserve their places ahead.
 *
 * - A request reserves the first slot that is free: a window after the tenth last was used, and behind the last one.
 * - Background work (`'background'`) has the lower priority: it gets a slot only where one is idle.
 * - So that it doesn't starve, it is guaranteed a rate, by the generic cell rate algorithm (ITU-T I.371) without a burst:
 *   a slot in each `gapsPerGuaranteed` gaps is reserved for it as for a customer.
 * - Processes that wait with background work draw tickets and go in their order, as in Lamport's bakery algorithm.
 */
export function reserve(
  kept: Ledger | undefined,
  request: SlotRequest,
  now: number,
): readonly [Ledger, SlotResponse] {
  const ledger = withReport(kept ?? newLedger(now, request.clearingMs), request, now)
  if (request.want === 'nothing') return [ledger, responseOf(ledger, now)]
  const soonest = now + request.leadMs
  const openAt = opensAt(ledger, request, soonest)
  if (request.want === 'background') return reserveForBackground(ledger, request, now, openAt)
  // So far ahead nothing is reserved. When half of the line has gone there is room.
  if (openAt - now > request.aheadMs) return later(ledger, openAt - request.aheadMs / 2, now)
  return withSlot(ledger, Math.max(soonest, openAt), request, now)
}

function reserveForBackground(ledger: Ledger, request: SlotRequest, now: number, openAt: number) {
  const { backgroundAt, lastTicket, servedTicket } = ledger
  const { leadMs, aheadMs } = request
  const soonest = now + leadMs
  const gap = gapMs(request)
  const idleAt = Math.max(openAt, backgroundAt + closestMs(gap))
  const guaranteedAt = Math.max(backgroundAt + gapsPerGuaranteed * gap, openAt + leadMs - aheadMs)
  const hasTicket = request.ticket > 0 && request.ticket <= lastTicket
  const ticket = hasTicket ? request.ticket : Math.min(lastTicket + 1, servedTicket + mostTickets)
  const ahead = Math.max(0, ticket - servedTicket - 1)
  // Those ahead go first, unless they don't come: they may have been killed.
  const patienceMs = ahead > 0 ? gap / 2 + nearMs : 0
  // Who came later went first: whoever is quicker by a moment would go first for ever.
  const headStartMs = hasTicket && ticket <= servedTicket ? gap / 2 : 0
  const inLine = { ...ledger, lastTicket: Math.max(lastTicket, ticket) }
  if (soonest >= Math.min(idleAt - nearMs - leadMs, guaranteedAt) + patienceMs - headStartMs) {
    const served = { ...inLine, backgroundAt: soonest, servedTicket: Math.max(servedTicket, ticket) }
    return withSlot(served, Math.max(soonest, openAt), request, now)
  }
  const idleForAt = Math.max(idleAt + ahead * gap, windowOpensAt(ledger, request, ahead))
  const turnAt = Math.min(idleForAt, guaranteedAt + ahead * gapsPerGuaranteed * gap)
  return later(inLine, turnAt - headStartMs - earlyMs - 1.5 * leadMs, now, ticket)
}

function closestMs(gap: number): number {
  return Math.floor(closestPart * gap)
}

/** When the next slot is free for a customer. */
function opensAt(ledger: Ledger, request: SlotRequest, soonest: number): number {
  const { slots, notBefore, spacedUntil } = ledger
  const windowAt = Math.max(notBefore, windowOpensAt(ledger, request))
  const gap = gapMs(request)
  // Ten may go at once after a rest. Otherwise they are spread, or whoever is quickest would take them all.
  const isBusy = windowAt + request.windowMs / 2 > soonest
  const apartMs = soonest < spacedUntil ? gap : isBusy ? closestMs(gap) : 0
  return Math.max(windowAt, (slots.at(-1)?.at ?? 0) + apartMs)
}

/** When the window has a place for one more, or for so many more before it: a window after the tenth last was used. */
function windowOpensAt({ slots }: Ledger, { slots: limit, windowMs }: SlotRequest, ahead = 0): number {
  const leaving = slots[slots.length - limit + ahead]
  return leaving === undefined ? 0 : leaving.usedBy + windowMs
}

/** The ledger with what the process reports, and without slots that neither count nor show how busy it is. */
function withReport(ledger: Ledger, request: SlotRequest, now: number): Ledger {
  const { knownId, knownCount, quietMs, pauseMs, returningMs, windowMs } = request
  // After a restart, FLUSHALL or a failover: slots that this process knows of are not in the list.
  const hasForgotten = knownId > 0 && (knownId !== ledger.id || knownCount > ledger.count)
  const quietUntil = hasForgotten ? endOf(quietMs, now) : 0
  const pausedUntil = endOf(Math.min(pauseMs, longestPauseMs), now)
  return {
    ...ledger,
    slots: request.used.reduce(withUse, ledger.slots).filter(({ usedBy }) => usedBy + 2 * windowMs > now),
    notBefore: Math.min(Math.max(ledger.notBefore, quietUntil, pausedUntil), now + longestPauseMs),
    spacedUntil: pausedUntil > 0 ? pausedUntil + spacedMs : ledger.spacedUntil,
    sharesUntil: Math.max(ledger.sharesUntil, endOf(returningMs, now)),
  }
}

function endOf(ms: number, now: number): number {
  return ms > 0 ? now + ms : 0
}

/** A slot counts from when it was used, and not at all when it wasn't. */
function withUse(
  slots: readonly ReservedSlot[],
  [grant, usedAt]: SlotRequest['used'][number],
): readonly ReservedSlot[] {
  if (usedAt === 0) return slots.filter((slot) => slot.grant !== grant)
  return slots.map((slot) => (slot.grant === grant ? { ...slot, usedBy: usedAt } : slot))
}

function withSlot(ledger: Ledger, at: number, { validMs, grant }: SlotRequest, now: number) {
  const slot = { at, usedBy: at + Math.min(validMs, longestValidMs), grant }
  const after = { ...ledger, count: ledger.count + 1, slots: [...ledger.slots, slot] }
  return [after, { ...responseOf(after, now), slot: at }] as const
}

function later(ledger: Ledger, at: number, now: number, ticket = 0) {
  return [ledger, { ...responseOf(ledger, now), retryInMs: Math.max(1, at - now), ticket }] as const
}

function responseOf({ id, count, sharesUntil }: Ledger, now: number): SlotResponse {
  return { now, id, count, sharesMs: Math.max(0, sharesUntil - now) }
}
