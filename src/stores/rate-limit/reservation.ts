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

/** Background work is guaranteed one slot in so many gaps: about a tenth of all, since some are not used. */
const gapsPerGuaranteed = 9
/** It has to ask again so long before its turn, so that it doesn't miss it. */
const earlyMs = 10
/** It may take a slot that is so near: that counts as free now. */
const nearMs = 20
/** Slots are so much of a gap apart: a little less than all of it, so that what comes a moment late doesn't make all that follow late too. */
const closestPart = 0.9

/**
 * The rule of the shared rate limit: a sliding window log whose entries are reserved.
 *
 * - A customer's request reserves the first slot that is free: not before the newest one, nor within a window of when
 *   the tenth last may be used.
 * - Background work (`'background'`) has the lower priority: it takes a slot only where one is free now, and reserves none
 *   ahead.
 * - So that it doesn't starve, it has a guaranteed rate, counted by the generic cell rate algorithm (GCRA, ITU-T
 *   I.371) without a burst: one slot each `gapsPerGuaranteed` gaps, which it reserves as a customer does.
 * - Processes that wait with background work take turns (round robin).
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
  if (ask.want === 'background') return reserveForBulk(before, ask, now, { openFor, soonest, gap })
  return withAnswer(before, Math.max(soonest, openFor), ask, now)
}

function reserveForBulk(
  before: Ledger,
  ask: Ask,
  now: number,
  { openFor, soonest, gap }: { openFor: number; soonest: number; gap: number },
): [Ledger, Answer] {
  const { bulkAt, bulkLine: line } = before
  const isNew = !line.includes(ask.process)
  const place = isNew ? line.length : line.indexOf(ask.process)
  const idleAt = Math.max(openFor, bulkAt + closestMs(gap))
  const guaranteedAt = bulkAt + gapsPerGuaranteed * gap
  // The first in the line goes first, unless it doesn't come: it may have been killed.
  const patienceMs = place > 0 ? gap / 2 + nearMs : 0
  if (soonest >= Math.min(idleAt - nearMs - ask.leadMs, guaranteedAt) + patienceMs) {
    const bulkLine = line.slice(place > 0 ? 1 : 0).filter((one) => one !== ask.process)
    return withAnswer({ ...before, bulkAt: soonest, bulkLine }, Math.max(soonest, openFor), ask, now)
  }
  const after = isNew ? { ...before, bulkLine: [...line, ask.process].slice(0, longestBulkLine) } : before
  const turnAt = Math.min(turnOf(place, idleAt, before, ask), guaranteedAt + place * gapsPerGuaranteed * gap)
  return [after, answerOf(after, now, { comeInMs: Math.max(1, turnAt - soonest - earlyMs - ask.leadMs / 2) })]
}

function withAnswer(ledger: Ledger, slot: number, ask: Ask, now: number): [Ledger, Answer] {
  const after = withSlot(ledger, slot, ask)
  return [after, answerOf(after, now, { slot })]
}

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
