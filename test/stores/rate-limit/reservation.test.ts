import { describe, expect, test } from 'vitest'
import { MemoryLedger, requestOf } from './slot-requests.js'

const start = 1_700_000_000_000

function waits(ledger: MemoryLedger, asks: number, now: number, more = {}) {
  return Array.from({ length: asks }, () => Number(ledger.request(requestOf(more), now).slot) - now)
}

describe('the rule of the shared rate limit', () => {
  test('gives ten slots at once, and the eleventh 1080 ms after the first', () => {
    const ledger = new MemoryLedger()
    expect(waits(ledger, 11, start)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1080])
    expect(waits(ledger, 1, start + 500)).toEqual([580 + 97])
  })

  test('gives one slot in 2160 ms at half a request a second', () => {
    const ledger = new MemoryLedger()
    expect(waits(ledger, 3, start, { slots: 1, windowMs: 2160 })).toEqual([0, 2160, 4320])
  })

  test('counts a slot that was used late from when it was used', () => {
    const ledger = new MemoryLedger()
    waits(ledger, 10, start)
    const { slot } = ledger.request(requestOf({ used: [[1, start + 30]] }), start + 100)
    expect(slot).toBe(start + 1080 + 30)
  })

  test('counts a slot from when it may be used at the latest, until its process reports when it was', () => {
    const ledger = new MemoryLedger()
    waits(ledger, 10, start, { validMs: 40 })
    expect(waits(ledger, 1, start + 100, { validMs: 40 })).toEqual([1080 + 40 - 100])
    const reported = new MemoryLedger()
    for (let grant = 1; grant <= 10; grant++) reported.request(requestOf({ validMs: 40, grant }), start)
    const used = Array.from({ length: 10 }, (_, n) => [n + 1, start + 1] as const)
    expect(waits(reported, 1, start + 100, { used })).toEqual([1080 + 1 - 100])
  })

  test('spreads slots that are waited for, so that the quickest process does not take them all', () => {
    const ledger = new MemoryLedger()
    waits(ledger, 10, start)
    expect(waits(ledger, 3, start)).toEqual([1080, 1080 + 97, 1080 + 194])
  })

  test('gives another slot in place of one that was not used', () => {
    const ledger = new MemoryLedger()
    waits(ledger, 9, start)
    ledger.request(requestOf({ grant: 2 }), start + 5)
    const report = { used: [[2, 0]] } as const
    expect(ledger.request(requestOf(report), start + 100).slot).toBe(start + 100)
    // Said once more, by a driver that sends it again: nobody else's slot goes.
    expect(ledger.request(requestOf(report), start + 100).slot).toBe(start + 1080)
  })

  test('gives no slot to anybody for as long as a 429 asks, and spaces them evenly after it', () => {
    const ledger = new MemoryLedger()
    ledger.request(requestOf({ want: 'nothing', pauseMs: 2000 }), start)
    expect(waits(ledger, 3, start + 10)).toEqual([1990, 1990 + 108, 1990 + 216])
    expect(waits(ledger, 2, start + 400_000)).toEqual([0, 0])
  })

  test('keeps to a pause that is longer than any line, whoever asks in it', () => {
    const ledger = new MemoryLedger()
    ledger.request(requestOf({ want: 'nothing', pauseMs: 60_000 }), start)
    const early = ledger.request(requestOf(), start + 10)
    // Whoever comes too early reserves nothing, and comes again when half of the line is left.
    expect(early.slot).toBeUndefined()
    expect(early.retryInMs).toBe(60_000 - 2500 - 10)
    expect(waits(ledger, 3, start + 57_500)).toEqual([2500, 2500 + 108, 2500 + 216])
    expect(waits(ledger, 1, start + 59_000)).toEqual([1000 + 324])
  })

  test('does not forget slots that still count when others are given back that came after them', () => {
    const ledger = new MemoryLedger()
    // A window's worth is used, and thirty processes have the next slots.
    waits(ledger, 10, start)
    for (let grant = 100; grant < 130; grant++) ledger.request(requestOf({ grant }), start)
    const used = Array.from({ length: 30 }, (_, n) => [100 + n, 0] as const)
    expect(waits(ledger, 1, start + 500, { used })).toEqual([1080 - 500])
  })

  test('starts later when it has forgotten slots that the asker knows of', () => {
    const ledger = new MemoryLedger()
    const { id, count } = ledger.request(requestOf(), start)
    ledger.forget()
    const known = { knownId: id, knownCount: count, quietMs: 1944 }
    expect(ledger.request(requestOf(known), start + 50).slot).toBe(start + 50 + 1944)
    // Also for those who know nothing.
    expect(ledger.request(requestOf(), start + 60).slot).toBe(start + 50 + 1944 + 97)
  })

  test('sees that a replica has taken over which lacks the last slots', () => {
    const ledger = new MemoryLedger()
    const { id, count } = ledger.request(requestOf(), start)
    const ahead = { knownId: id, knownCount: count + 3, quietMs: 1100 }
    expect(ledger.request(requestOf(ahead), start + 10).slot).toBe(start + 1110)
  })

  test('keeps everybody waiting when it begins, whether they knew of another one or of none', () => {
    const ledger = new MemoryLedger()
    ledger.forget()
    expect(ledger.request(requestOf({ clearingMs: 1228 }), start).slot).toBe(start + 1228)
    ledger.forget()
    const idle = { knownId: 5, knownCount: 7, clearingMs: 1228 }
    expect(ledger.request(requestOf(idle), start).slot).toBe(start + 1228)
  })

  test('does not stand still when the clock of the store is set back by an hour', () => {
    const ledger = new MemoryLedger()
    waits(ledger, 10, start)
    expect(waits(ledger, 1, start - 3_600_000)).toEqual([0])
    // Neither where it has only begun.
    ledger.forget()
    waits(ledger, 1, start, { clearingMs: 1228 })
    expect(waits(ledger, 1, start - 3_600_000)).toEqual([0])
  })

  test('gives no slot before its response can be there', () => {
    expect(new MemoryLedger().request(requestOf({ leadMs: 60 }), start).slot).toBe(start + 60)
  })

  test('tells for how long everybody keeps to a share after one came back from being alone', () => {
    const ledger = new MemoryLedger()
    expect(ledger.request(requestOf({ returningMs: 5000 }), start).sharesMs).toBe(5000)
    expect(ledger.request(requestOf(), start + 2000).sharesMs).toBe(3000)
    expect(ledger.request(requestOf(), start + 5000).sharesMs).toBe(0)
  })
})

describe('background', () => {
  const background = { want: 'background' } as const

  test('takes a slot that is free now, one in a tenth of a second, and reserves none ahead', () => {
    const ledger = new MemoryLedger()
    expect(ledger.request(requestOf(background), start).slot).toBe(start)
    const later = ledger.request(requestOf(background), start + 1)
    expect(later.slot).toBeUndefined()
    expect(later.retryInMs).toBe(86)
    // A customer finds the window as it was.
    expect(ledger.request(requestOf(), start + 2).slot).toBe(start + 2)
  })

  test('that is gone costs the next in line no more than one turn', () => {
    const ledger = new MemoryLedger()
    ledger.request(requestOf(background), start)
    const tickets = [1, 2, 3].map(() => ledger.request(requestOf(background), start).ticket)
    expect(tickets).toEqual([2, 3, 4])
    // The first doesn't come: the second is there in its own turn, and those behind it come as before.
    expect(ledger.request(requestOf({ ...background, ticket: 3 }), start + 195).slot).toBe(start + 195)
    expect(ledger.request(requestOf({ ...background, ticket: 4 }), start + 195).retryInMs).toBe(97 - 10)
  })

  test('gets turns, one after another', () => {
    const ledger = new MemoryLedger()
    ledger.request(requestOf(background), start)
    const turns = [1, 2, 3].map(() => ledger.request(requestOf(background), start).retryInMs)
    expect(turns).toEqual([87, 87 + 108, 87 + 216])
    expect(ledger.request(requestOf({ ...background, ticket: 2 }), start + 97).slot).toBe(start + 97)
  })

  test('gets one slot of ten while customers want them all', () => {
    const ledger = new MemoryLedger()
    const everybody = Array.from({ length: 9 }, (_, n) => ({
      want: n === 0 ? ('background' as const) : ('customer' as const),
      comeAt: start,
      ticket: 0,
    }))
    let slots = 0
    for (let now = start; now < start + 60_000; now++) {
      for (const one of everybody.filter(({ comeAt }) => comeAt === now)) {
        const { slot, retryInMs = 1, ticket = 0 } = ledger.request(requestOf(one), now)
        one.ticket = ticket
        if (slot !== undefined && one.want === 'background') slots++
        one.comeAt = slot === undefined ? now + retryInMs : Math.max(now + 1, slot)
      }
    }
    // Of 555 slots in a minute.
    expect(slots).toBeGreaterThanOrEqual(50)
    expect(slots).toBeLessThanOrEqual(75)
  })
})
