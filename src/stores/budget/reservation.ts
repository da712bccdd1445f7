import type { Answer, Ask } from './ask.js'
import {
  type GivenSlot,
  keptSlots,
  type Ledger,
  longestBulkLine,
  longestGoodMs,
  longestPauseMs,
  newLedger,
  spacedMs,
} from './ledger.js'

/** While bulk asks, it gets at least one of so many slots in a row. Some slots are not used, and a tenth has to remain. */
const slotsPerBulk = 9
/** Bulk is told to ask again so long before its turn, so that it doesn't miss it. */
const earlyMs = 10
/** Bulk may take a slot that is so near: that counts as free now. */
const nearMs = 20
/** Bulk that hasn't asked for so long has left; that it asks is written down so often, since each write is a call. */
const bulkLeftMs = 5000
const bulkNotedMs = 1000
/** Slots are so much of a gap apart: a little less than all of it, so that what comes a moment late doesn't make all that follow late too. */
const closestPart = 0.9

/**
 * The rule of the shared budget. A customer's slot is the first that is free: now, but not before the newest one,
 * nor within a window of when the tenth last may be used; it is reserved at once, and the process comes back when it is due. Bulk
 * takes a slot that is free now, or is told when to ask again.
 */
export function reserve(kept: Ledger | undefined, ask: Ask, now: number): [Ledger, Answer] {
  const before = withNews(kept ?? newLedger(now, ask.clearingMs), ask, now)
  if (ask.want === 'nothing') return [before, answerOf(before, now, {})]
  const gap = Math.ceil(ask.windowMs / ask.slots)
  const soonest = now + ask.leadMs
  const windowFrom = Math.max(before.notBefore, windowOpensAt(before, ask))
  // Ten may go at once after a rest. Otherwise they are spread, or whoever is quickest would take them all.
  const isBusy = windowFrom + ask.windowMs / 2 > soonest
  const apart = now < before.spacedUntil ? gap : isBusy ? closestMs(gap) : 0
  const openFor = Math.max(windowFrom, (before.slots.at(-1)?.at ?? 0) + apart)
  if (ask.want === 'bulk') return reserveForBulk(before, ask, now, { openFor, soonest, gap })
  const isBulkWaiting = now - before.bulkAskedAt < bulkLeftMs
  const passedOver = isBulkWaiting ? Math.min(before.passedOver + 1, 2 * slotsPerBulk) : 0
  const slot = Math.max(soonest, openFor)
  const after = { ...withSlot(before, slot, ask), passedOver }
  return [after, answerOf(after, now, { slot })]
}

function reserveForBulk(
  before: Ledger,
  ask: Ask,
  now: number,
  { openFor, soonest, gap }: { openFor: number; soonest: number; gap: number },
): [Ledger, Answer] {
  const hasLeft = now - before.bulkAskedAt >= bulkLeftMs
  const line = hasLeft ? [] : before.bulkLine
  const passedOver = hasLeft ? 0 : before.passedOver
  const openSince = Math.max(openFor, before.bulkAt + closestMs(gap))
  const place = line.indexOf(ask.process)
  const ahead = place < 0 ? line.length : place
  // Whoever is ahead in the line goes before, unless it doesn't come: it may have been killed.
  const owed = slotsPerBulk - 1
  const isOwed = passedOver >= (ahead > 0 ? owed + 2 : owed)
  const isTurn = soonest - openSince >= (ahead > 0 ? gap / 2 : -nearMs)
  if (isOwed || isTurn) {
    const slot = Math.max(soonest, isOwed ? openFor : openSince)
    const after = {
      ...withSlot(before, slot, ask),
      bulkAskedAt: now,
      bulkAt: slot,
      bulkLine: line.slice(ahead > 0 ? 1 : 0).filter((one) => one !== ask.process),
      passedOver: isOwed ? passedOver - owed : 0,
    }
    return [after, answerOf(after, now, { slot })]
  }
  const bulkLine = place < 0 ? [...line, ask.process].slice(0, longestBulkLine) : line
  const bulkAskedAt = now - before.bulkAskedAt < bulkNotedMs ? before.bulkAskedAt : now
  const after = { ...before, bulkAskedAt, bulkLine, passedOver }
  const turn = turnOf(ahead, openSince, before, ask)
  const owedInMs = (owed - passedOver + owed * ahead) * gap
  const comeInMs = Math.max(1, Math.min(turn - soonest - earlyMs, owedInMs))
  return [after, answerOf(after, now, { comeInMs })]
}

/** How near one slot may be to the next. */
function closestMs(gap: number): number {
  return Math.floor(gap * closestPart)
}

/** When the window has a place: a window after the tenth last may be used. */
function windowOpensAt({ slots, goneBy }: Ledger, ask: Ask, ahead = 0): number {
  const tenth = slots[slots.length - ask.slots + ahead]?.usedBy
  // Where too many were given back, it is among those that are forgotten, and the last of them is the latest.
  return (tenth ?? goneBy) + ask.windowMs
}

/** When bulk with so many ahead of it in the line will find a slot, if no customer comes between. */
function turnOf(ahead: number, openSince: number, ledger: Ledger, ask: Ask): number {
  const gap = Math.ceil(ask.windowMs / ask.slots)
  if (ahead >= ask.slots || ledger.slots.length < ask.slots) return openSince + ahead * gap
  return Math.max(openSince + ahead * closestMs(gap), windowOpensAt(ledger, ask, ahead))
}

/** The ledger with what the process reports: slots that it used, a pause, its return. */
function withNews(ledger: Ledger, ask: Ask, now: number): Ledger {
  const { notBefore, spacedUntil, sharesUntil } = ledger
  // After a restart, FLUSHALL or a failover: slots that the asker knows of are not in the list.
  const hasForgotten = ask.knownId > 0 && (ask.knownId !== ledger.id || ask.knownCount > ledger.count)
  const quietUntil = hasForgotten && ask.quietMs > 0 ? now + ask.quietMs : 0
  const pausedUntil = ask.pauseMs > 0 ? now + Math.min(ask.pauseMs, longestPauseMs) : 0
  return {
    ...ledger,
    slots: ask.used.reduce(corrected, ledger.slots),
    notBefore: Math.min(Math.max(notBefore, quietUntil, pausedUntil), now + longestPauseMs),
    spacedUntil: pausedUntil > 0 ? pausedUntil + spacedMs : spacedUntil,
    sharesUntil: ask.returningMs > 0 ? Math.max(sharesUntil, now + ask.returningMs) : sharesUntil,
  }
}

/** A slot counts from when it was used, and not at all when it wasn't. */
function corrected(slots: readonly GivenSlot[], [grant, usedAt]: Ask['used'][number]): readonly GivenSlot[] {
  if (usedAt === 0) return slots.filter((slot) => slot.grant !== grant)
  return slots.map((slot) => (slot.grant === grant ? { ...slot, usedBy: usedAt } : slot))
}

function withSlot(ledger: Ledger, at: number, ask: Ask): Ledger {
  const slots = [
    ...ledger.slots,
    { at, usedBy: at + Math.min(ask.goodForMs, longestGoodMs), grant: ask.grant },
  ]
  const gone = slots.splice(0, slots.length - keptSlots(ask.slots))
  return {
    ...ledger,
    count: ledger.count + 1,
    slots,
    goneBy: Math.max(ledger.goneBy, ...gone.map(({ usedBy }) => usedBy)),
  }
}

function answerOf(
  { id, count, sharesUntil }: Ledger,
  now: number,
  { slot, comeInMs }: { readonly slot?: number; readonly comeInMs?: number },
): Answer {
  return { now, id, count, slot, comeInMs, sharesMs: Math.max(0, sharesUntil - now) }
}
