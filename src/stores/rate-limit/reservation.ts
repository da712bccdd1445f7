import {
  type Ledger,
  longestPauseMs,
  longestValidMs,
  mostTickets,
  newLedger,
  type ReservedSlot,
  spacedMs,
} from './ledger.js'

/** How many requests fit into which span of time: never more than `slots` in any `windowMs`. */
export interface Pace {
  readonly slots: number
  readonly windowMs: number
}

/** The second that the gateway counts in, and 80 ms by which the network may squeeze what was sent evenly. */
export const secondMs = 1080

/** Ten a second are ten in 1080 ms; two and a half are three in 1296 ms; a half is one in 2160 ms. */
export function paceOf(requestsPerSecond: number): Pace {
  const slots = Math.ceil(requestsPerSecond)
  return { slots, windowMs: Math.ceil((secondMs * slots) / requestsPerSecond) }
}

/** From one request to the next where they come evenly. */
export function gapMs({ slots, windowMs }: Pace): number {
  return Math.ceil(windowMs / slots)
}

/** What a process wants of the shared rate limit, and what it reports, in whole milliseconds. */
export interface SlotRequest extends Pace {
  /** `'background'` reserves nothing ahead; `'nothing'` only reports. */
  readonly want: 'customer' | 'background' | 'nothing'
  /** How long the response travels: no slot before that is of any use. */
  readonly leadMs: number
  /** No slot further ahead is reserved. */
  readonly aheadMs: number
  /** Of the last response to background work that still waits; 0 for none. */
  readonly ticket: number
  /** The slot counts as used at the end of this time, until the process reports when it used the slot. */
  readonly validMs: number
  /** The name of the slot: a number of this request alone. */
  readonly grant: number
  /** Slots of this process, and when each was used by the store's clock: 0 for one that was not. */
  readonly used: readonly (readonly [grant: number, usedAt: number])[]
  /**
   * Epoch and sequence number of the last response; 0 and 0 for none. A ledger of another epoch, or with a smaller number,
   * has lost slots that this process knows of.
   */
  readonly knownId: number
  readonly knownCount: number
  /** How long nobody may get a slot if the store has forgotten those that this process knows of. */
  readonly quietMs: number
  /** The same for a new ledger: others may have slots of the one before. */
  readonly clearingMs: number
  /** Nobody gets a slot for so long, after a 429; 0 for none. */
  readonly pauseMs: number
  /** All keep to a share for so long, since this process sent without the store; 0 if it didn't. */
  readonly returningMs: number
}

export interface SlotResponse {
  /** The store's clock. */
  readonly now: number
  /** The ledger's epoch: another one for each ledger that begins. */
  readonly id: number
  /** The sequence number of the newest slot in it. */
  readonly count: number
  /** When the slot that is reserved begins, by the store's clock. */
  readonly slot?: number
  /** Where none is reserved: when to ask again. */
  readonly retryInMs?: number
  /** The place of background work in the line. */
  readonly ticket?: number
  /** Each process keeps to its share as well for so long; 0 mostly. */
  readonly sharesMs: number
}

/** Background work is guaranteed one slot in so many gaps: about a tenth of all, since some are not used. */
const gapsPerGuaranteed = 9
/** It asks again so long before its turn. */
const earlyMs = 10
/** A slot that is so near counts as idle. */
const nearMs = 40
/** Slots are less than a gap apart, so that one that is used late doesn't make all that follow late. */
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
  // There is room when half of the line has gone.
  if (openAt - now > request.aheadMs) return later(ledger, openAt - request.aheadMs / 2, now)
  return withSlot(ledger, Math.max(soonest, openAt), request, now)
}

/**
 * Takes a slot that is idle, or that is due by the generic cell rate algorithm: `guaranteedAt` is its theoretical arrival
 * time, one increment (`gapsPerGuaranteed * gap`) after the last. Otherwise says when this ticket's turn is.
 */
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
  // Those with a smaller ticket go first; one of them that was killed is waited for no longer than this.
  const patienceMs = ahead > 0 ? gap / 2 + nearMs : 0
  // Who came later went first. Without a head start, whoever is quicker by a moment would go first for ever.
  const headStartMs = hasTicket && ticket <= servedTicket ? gap / 2 : 0
  const inLine = { ...ledger, lastTicket: Math.max(lastTicket, ticket) }
  const mayTakeAt = Math.min(idleAt - nearMs - leadMs, guaranteedAt) + patienceMs - headStartMs
  if (soonest >= mayTakeAt) {
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

/** When the window has a place for one more behind so many: a window after the tenth last was used. */
function windowOpensAt({ slots }: Ledger, { slots: limit, windowMs }: SlotRequest, ahead = 0): number {
  const leaving = slots[slots.length - limit + ahead]
  return leaving === undefined ? 0 : leaving.usedBy + windowMs
}

/** The ledger with what the process reports, and without slots that no longer matter. */
function withReport(ledger: Ledger, request: SlotRequest, now: number): Ledger {
  const { knownId, knownCount, quietMs, pauseMs, returningMs, windowMs } = request
  // After a restart, FLUSHALL or a failover. Slots that are not in the list are waited for until none can be in use.
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
