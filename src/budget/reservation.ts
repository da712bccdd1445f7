import type { Answer, Ask } from './ask.js'

/** What is kept of the budget, in one place for all processes. Times are those of the place's own clock. */
export interface Ledger {
  /** When it was begun. */
  readonly id: number
  /** How many slots were ever given. */
  readonly count: number
  /** The last of them, at most a window's worth, in the order in which they were given, which is that of their times. */
  readonly slots: readonly number[]
  /** By when each of them is used at the latest: the window counts from then, since nobody knows better before. */
  readonly usedBy: readonly number[]
  /** What each of them is called by whoever has it. */
  readonly grants: readonly number[]
  /** Nobody gets a slot before: after a 429, and after the slots were forgotten. */
  readonly notBefore: number
  /** Until then slots are spaced evenly, since a 429 may mean that the gateway counts so. */
  readonly spacedUntil: number
  /** Until then each process keeps to its share as well. */
  readonly sharesUntil: number
  /** The last slot that bulk took, and when bulk last asked. */
  readonly bulkAt: number
  readonly bulkAskedAt: number
  /** How many slots customers got since bulk had one, while bulk was asking. */
  readonly passedOver: number
  /** Places in the line of bulk: the last one that was given, and the last one that had its slot. */
  readonly issued: number
  readonly served: number
}

/** Of so many slots in a row bulk gets one at least, while it asks. Some come to nothing, and a tenth has to be left. */
export const slotsPerBulk = 9
/** So long before its turn bulk is told to come, so that the turn isn't missed. */
export const earlyMs = 10
/** And a slot that is so near it may take: that is nothing reserved ahead. */
export const nearMs = 20
/** Bulk that hasn't asked for so long has left. */
export const bulkLeftMs = 5000
/** Slots are so much of a gap apart: a little less than all of it, so that what comes a moment late doesn't make all that follow late too. */
export const closestPart = 0.9
/** How long slots are spaced evenly after a 429. */
export const spacedMs = 300_000
/** A pause is never longer, whatever becomes of the store's clock. */
export const longestPauseMs = 3_600_000
/** A line of so many windows, after now or after a pause, is none: the store's clock was set back. */
export const longestLine = 30

/**
 * An empty ledger. It may be the first, or one that was forgotten with all its slots: after a restart, FLUSHALL, an
 * eviction. Nobody gets a slot until those that were given before can't matter.
 */
export function newLedger(now: number, clearingMs: number): Ledger {
  return {
    id: now,
    count: 0,
    slots: [],
    usedBy: [],
    grants: [],
    notBefore: now + clearingMs,
    spacedUntil: 0,
    sharesUntil: 0,
    bulkAt: 0,
    bulkAskedAt: 0,
    passedOver: 0,
    issued: 0,
    served: 0,
  }
}

/**
 * The rule of the shared budget. A customer's slot is the first that is free: now, but not before the newest one,
 * nor within a window of when the tenth last may be used; it is reserved at once, and the process comes back when it is due. Bulk
 * takes a slot that is free now, or is told when to ask again.
 *
 * The stores do the same in their own languages, and a test holds them to this.
 */
export function reserve(kept: Ledger | undefined, ask: Ask, now: number): [Ledger, Answer] {
  const before = withNews(soundLedger(kept, ask, now), ask, now)
  const gap = Math.ceil(ask.windowMs / ask.slots)
  const soonest = now + ask.leadMs
  const newest = before.slots.at(-1) ?? 0
  const tenth = before.usedBy.length < ask.slots ? undefined : before.usedBy.at(-ask.slots)
  const windowFrom = Math.max(before.notBefore, tenth === undefined ? 0 : tenth + ask.windowMs)
  // Ten may go at once after a rest. Otherwise they are spread, or whoever is quickest would take them all.
  const isBusy = windowFrom + ask.windowMs / 2 > soonest
  const apart = now < before.spacedUntil ? gap : isBusy ? closestMs(gap) : 0
  const openFor = Math.max(windowFrom, newest + apart)
  const free = Math.max(soonest, openFor)
  if (ask.want === 'nothing') return [before, answerOf(before, now, {})]
  if (ask.want === 'customer') {
    const isBulkWaiting = now - before.bulkAskedAt < bulkLeftMs
    const passedOver = isBulkWaiting ? Math.min(before.passedOver + 1, 2 * slotsPerBulk) : 0
    const after = { ...withSlot(before, free, ask), passedOver }
    return [after, answerOf(after, now, { slot: free })]
  }
  return reserveForBulk(before, ask, now, { free, openFor, soonest, gap })
}

function reserveForBulk(
  kept: Ledger,
  ask: Ask,
  now: number,
  { free, openFor, soonest, gap }: { free: number; openFor: number; soonest: number; gap: number },
): [Ledger, Answer] {
  const hasLeft = now - kept.bulkAskedAt >= bulkLeftMs
  const before = { ...kept, bulkAskedAt: now, ...(hasLeft ? { passedOver: 0, served: kept.issued } : {}) }
  const owed = slotsPerBulk - 1
  const openSince = Math.max(openFor, before.bulkAt + closestMs(gap))
  const isInLine = ask.ticket > 0 && ask.ticket <= before.issued
  const ticket = isInLine ? ask.ticket : before.issued + 1
  const ahead = Math.max(0, ticket - before.served - 1)
  // Whoever is ahead in the line goes before, unless it doesn't come; and if it does later, it goes before the others.
  const isOvertaken = ticket <= before.served
  const owedFrom = isOvertaken ? owed - 2 : owed
  const isOwed = before.passedOver >= (ahead > 0 ? owed + 2 : owedFrom)
  const isTurn = soonest - openSince >= (ahead > 0 ? gap / 2 : -nearMs)
  if (isOwed || isTurn) {
    const slot = Math.max(soonest, isOwed ? free : openSince)
    const passedOver = isOwed ? before.passedOver - owed : 0
    const served = isInLine ? Math.max(before.served, ticket) : before.served
    const after = { ...withSlot(before, slot, ask), passedOver, bulkAt: slot, served }
    return [after, answerOf(after, now, { slot })]
  }
  const after = { ...before, issued: Math.max(before.issued, ticket) }
  const turn = turnOf(ahead, openSince, before.usedBy, ask)
  const owedInMs = (owedFrom - after.passedOver + owed * ahead) * gap
  const comeInMs = Math.max(1, Math.min(turn - soonest - (isOvertaken ? 2 * earlyMs : earlyMs), owedInMs))
  return [after, answerOf(after, now, { ticket, comeInMs })]
}

/** How near one slot may be to the next. */
function closestMs(gap: number): number {
  return Math.floor(gap * closestPart)
}

/** When bulk with so many ahead of it in the line will find a slot, if no customer comes between. */
function turnOf(ahead: number, openSince: number, usedBy: readonly number[], ask: Ask): number {
  const gap = Math.ceil(ask.windowMs / ask.slots)
  const leaving = usedBy.length < ask.slots ? undefined : usedBy[usedBy.length - ask.slots + ahead]
  if (leaving === undefined) return openSince + ahead * gap
  return Math.max(openSince + ahead * closestMs(gap), leaving + ask.windowMs)
}

/** The ledger that is kept, unless it can't be true. */
function soundLedger(kept: Ledger | undefined, { windowMs, clearingMs }: Ask, now: number): Ledger {
  if (kept === undefined || kept.id > now) return newLedger(now, clearingMs)
  // Slots that were asked for during a pause lie behind it.
  const opensAt = Math.max(now, Math.min(kept.notBefore, now + longestPauseMs))
  const isSound = (kept.slots.at(-1) ?? 0) <= opensAt + longestLine * windowMs
  return isSound ? kept : newLedger(now, clearingMs)
}

/** What the asker tells before it asks. */
function withNews(ledger: Ledger, ask: Ask, now: number): Ledger {
  const { notBefore, spacedUntil, sharesUntil } = ledger
  // After a restart, FLUSHALL or a failover: slots that the asker knows of are not in the list.
  const hasForgotten = ask.knownId > 0 && (ask.knownId !== ledger.id || ask.knownCount > ledger.count)
  const quietUntil = hasForgotten && ask.quietMs > 0 ? now + ask.quietMs : 0
  const pausedUntil = ask.pauseMs > 0 ? now + Math.min(ask.pauseMs, longestPauseMs) : 0
  return {
    ...ledger,
    ...corrected(ledger, ask.used),
    notBefore: Math.min(Math.max(notBefore, quietUntil, pausedUntil), now + longestPauseMs),
    spacedUntil: pausedUntil > 0 ? pausedUntil + spacedMs : spacedUntil,
    sharesUntil: ask.returningMs > 0 ? Math.max(sharesUntil, now + ask.returningMs) : sharesUntil,
  }
}

/** Slots count from when they were used, and not at all when they weren't. */
function corrected(ledger: Ledger, used: Ask['used']): Pick<Ledger, 'slots' | 'usedBy' | 'grants'> {
  const [slots, usedBy, grants] = [[...ledger.slots], [...ledger.usedBy], [...ledger.grants]]
  for (const [grant, usedAt] of used) {
    const index = grants.indexOf(grant)
    if (index < 0) continue
    if (usedAt > 0) usedBy[index] = usedAt
    else for (const list of [slots, usedBy, grants]) list.splice(index, 1)
  }
  return { slots, usedBy, grants }
}

function withSlot(ledger: Ledger, slot: number, ask: Ask): Ledger {
  return {
    ...ledger,
    count: ledger.count + 1,
    slots: [...ledger.slots, slot].slice(-ask.slots),
    usedBy: [...ledger.usedBy, slot + ask.goodForMs].slice(-ask.slots),
    grants: [...ledger.grants, ask.grant].slice(-ask.slots),
  }
}

function answerOf(
  { id, count, sharesUntil }: Ledger,
  now: number,
  { slot = 0, comeInMs = 0, ticket = 0 }: Partial<Answer>,
): Answer {
  return { now, id, count, slot, comeInMs, ticket, sharesMs: Math.max(0, sharesUntil - now) }
}
