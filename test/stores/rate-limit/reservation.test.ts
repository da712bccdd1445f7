import { describe, expect, test } from 'vitest'
import { askOf, MemoryLedger } from './asks.js'

const start = 1_700_000_000_000

function waits(ledger: MemoryLedger, asks: number, now: number, more = {}) {
  return Array.from({ length: asks }, () => Number(ledger.ask(askOf(more), now).slot) - now)
}

describe('the rule of the shared budget', () => {
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
    const { slot } = ledger.ask(askOf({ used: [[1, start + 30]] }), start + 100)
    expect(slot).toBe(start + 1080 + 30)
  })

  test('counts a slot from when it may be used at the latest, until it is told when it was', () => {
    const ledger = new MemoryLedger()
    waits(ledger, 10, start, { goodForMs: 40 })
    expect(waits(ledger, 1, start + 100, { goodForMs: 40 })).toEqual([1080 + 40 - 100])
    const told = new MemoryLedger()
    for (let grant = 1; grant <= 10; grant++) told.ask(askOf({ goodForMs: 40, grant }), start)
    const used = Array.from({ length: 10 }, (_, n) => [n + 1, start + 1] as const)
    expect(waits(told, 1, start + 100, { used })).toEqual([1080 + 1 - 100])
  })

  test('spreads slots that are waited for, so that the quickest process does not take them all', () => {
    const ledger = new MemoryLedger()
    waits(ledger, 10, start)
    expect(waits(ledger, 3, start)).toEqual([1080, 1080 + 97, 1080 + 194])
  })

  test('gives another slot in place of one that was not used', () => {
    const ledger = new MemoryLedger()
    waits(ledger, 9, start)
    ledger.ask(askOf({ grant: 2 }), start + 5)
    const news = { used: [[2, 0]] } as const
    expect(ledger.ask(askOf(news), start + 100).slot).toBe(start + 100)
    // Said once more, by a driver that sends it again: nobody else's slot goes.
    expect(ledger.ask(askOf(news), start + 100).slot).toBe(start + 1080)
  })

  test('gives no slot to anybody for as long as a 429 asks, and spaces them evenly after it', () => {
    const ledger = new MemoryLedger()
    ledger.ask(askOf({ want: 'nothing', pauseMs: 2000 }), start)
    expect(waits(ledger, 3, start + 10)).toEqual([1990, 1990 + 108, 1990 + 216])
    expect(waits(ledger, 2, start + 400_000)).toEqual([0, 0])
  })

  test('keeps to a pause that is longer than any line, whoever asks in it', () => {
    const ledger = new MemoryLedger()
    ledger.ask(askOf({ want: 'nothing', pauseMs: 60_000 }), start)
    expect(waits(ledger, 3, start + 10)).toEqual([59_990, 59_990 + 108, 59_990 + 216])
    expect(waits(ledger, 1, start + 59_000)).toEqual([1000 + 324])
  })

  test('does not forget slots that still count when others are given back that came after them', () => {
    const ledger = new MemoryLedger()
    // A window's worth is used, and thirty processes have the next slots.
    waits(ledger, 10, start)
    for (let grant = 100; grant < 130; grant++) ledger.ask(askOf({ grant }), start)
    const used = Array.from({ length: 30 }, (_, n) => [100 + n, 0] as const)
    expect(waits(ledger, 1, start + 500, { used })).toEqual([1080 - 500])
  })

  test('starts later when it has forgotten slots that the asker knows of', () => {
    const ledger = new MemoryLedger()
    const { id, count } = ledger.ask(askOf(), start)
    ledger.forget()
    const known = { knownId: id, knownCount: count, quietMs: 1944 }
    expect(ledger.ask(askOf(known), start + 50).slot).toBe(start + 50 + 1944)
    // Also for those who know nothing.
    expect(ledger.ask(askOf(), start + 60).slot).toBe(start + 50 + 1944 + 97)
  })

  test('sees that a replica has taken over which lacks the last slots', () => {
    const ledger = new MemoryLedger()
    const { id, count } = ledger.ask(askOf(), start)
    const ahead = { knownId: id, knownCount: count + 3, quietMs: 1100 }
    expect(ledger.ask(askOf(ahead), start + 10).slot).toBe(start + 1110)
  })

  test('keeps everybody waiting when it begins, whether they knew of another one or of none', () => {
    const ledger = new MemoryLedger()
    ledger.forget()
    expect(ledger.ask(askOf({ clearingMs: 1228 }), start).slot).toBe(start + 1228)
    ledger.forget()
    const idle = { knownId: 5, knownCount: 7, clearingMs: 1228 }
    expect(ledger.ask(askOf(idle), start).slot).toBe(start + 1228)
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
    expect(new MemoryLedger().ask(askOf({ leadMs: 60 }), start).slot).toBe(start + 60)
  })

  test('tells for how long everybody keeps to a share after one came back from being alone', () => {
    const ledger = new MemoryLedger()
    expect(ledger.ask(askOf({ returningMs: 5000 }), start).sharesMs).toBe(5000)
    expect(ledger.ask(askOf(), start + 2000).sharesMs).toBe(3000)
    expect(ledger.ask(askOf(), start + 5000).sharesMs).toBe(0)
  })
})

describe('background', () => {
  const bulk = { want: 'background' } as const

  test('takes a slot that is free now, one in a tenth of a second, and reserves none ahead', () => {
    const ledger = new MemoryLedger()
    expect(ledger.ask(askOf(bulk), start).slot).toBe(start)
    const later = ledger.ask(askOf(bulk), start + 1)
    expect(later).toMatchObject({ slot: undefined, comeInMs: 86 })
    // A customer finds the window as it was.
    expect(ledger.ask(askOf(), start + 2).slot).toBe(start + 2)
  })

  test('that is gone costs the next in line no more than one turn', () => {
    const ledger = new MemoryLedger()
    ledger.ask(askOf({ ...bulk, process: 9 }), start)
    for (const process of [1, 2, 3]) ledger.ask(askOf({ ...bulk, process }), start)
    // The first doesn't come: the second is there in its own turn, and those behind it are told as before.
    expect(ledger.ask(askOf({ ...bulk, process: 2 }), start + 195).slot).toBe(start + 195)
    expect(ledger.ask(askOf({ ...bulk, process: 3 }), start + 195).comeInMs).toBe(97 - 10)
  })

  test('is told to come one after another', () => {
    const ledger = new MemoryLedger()
    ledger.ask(askOf(bulk), start)
    const told = [1, 2, 3].map((process) => ledger.ask(askOf({ ...bulk, process }), start))
    expect(told.map(({ comeInMs }) => comeInMs)).toEqual([87, 87 + 108, 87 + 216])
    expect(ledger.ask(askOf({ ...bulk, process: 1 }), start + 97).slot).toBe(start + 97)
  })

  test('gets one slot of ten while customers want them all', () => {
    const ledger = new MemoryLedger()
    const customers = Array.from(
      { length: 8 },
      (_, process) => ({ want: 'customer', comeAt: start, process }) as const,
    )
    const everybody: { want: 'customer' | 'background'; comeAt: number; process: number }[] = [
      ...customers.map((one) => ({ ...one })),
      { want: 'background', comeAt: start, process: 9 },
    ]
    let slots = 0
    for (let now = start; now < start + 60_000; now++) {
      for (const one of everybody.filter(({ comeAt }) => comeAt === now)) {
        const { slot, comeInMs = 1 } = ledger.ask(askOf(one), now)
        if (slot !== undefined && one.want === 'background') slots++
        one.comeAt = slot === undefined ? now + comeInMs : Math.max(now + 1, slot)
      }
    }
    // Of 555 slots in a minute.
    expect(slots).toBeGreaterThanOrEqual(50)
    expect(slots).toBeLessThanOrEqual(75)
  })
})
