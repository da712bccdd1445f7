import { jsonOf } from '../../client/input/json.js'
import type { Answer, Ask } from './ask.js'
import { isCount, longestText, soundLedger } from './ledger.js'
import { reserve } from './reservation.js'
import { RateLimitStoreError, type SharedText, type TextReading } from './store.js'

/** So often somebody else may change the ledger between its reading and its writing. */
const mostTries = 40
/** Between two tries, at most, so that those who met there part: the time of two calls, and no more than this. */
const mostApartMs = 100

/** How long the ledger stays after it was last written: one that begins anew keeps everybody waiting for a second. */
const keptMs = 30 * 86_400_000

/** From here on a response travels so long that slots have to lie ahead. */
export const farMs = 15

export interface StoreAsk {
  readonly store: SharedText
  readonly slots: number
  readonly isFirst: boolean
  /** What to ask, once the store's clock is read. Nothing when nobody wants to know any more: then nothing is written. */
  readonly question: (read: ClockReading) => Ask | undefined
  readonly onHeard: () => void
  /** What was kept can't be true, and is written over. */
  readonly onUnsound: () => void
}

export interface ClockReading extends Pick<TextReading, 'now'> {
  readonly askedAt: number
  readonly answeredAt: number
}

export interface Asked {
  readonly ask: Ask
  readonly answer: Answer
}

/** Reads the ledger, asks the rule, and writes what it says unless another process was quicker: then once more. */
export async function askStore(asking: StoreAsk): Promise<Asked> {
  const { store, slots, isFirst, question, onHeard, onUnsound } = asking
  for (let tries = 1; tries <= mostTries; tries++) {
    const askedAt = performance.now()
    const read = await store.read(longestText(slots))
    onHeard()
    const { now } = read
    if (!isCount(now)) throw new RateLimitStoreError(`the clock of ${store.name} shows no time`)
    const answeredAt = performance.now()
    // The first call opens a connection as a rule, and says little about the clock.
    if (isFirst && tries === 1 && answeredAt - askedAt > farMs) continue
    const ask = question({ now, askedAt, answeredAt })
    if (ask === undefined) break
    const kept = soundLedger(jsonOf(read.text ?? ''), ask, now)
    if (read.text !== undefined && kept === undefined) onUnsound()
    const [ledger, answer] = reserve(kept, ask, now)
    const text = JSON.stringify(ledger)
    if (text === read.text || (await store.swap(read, text, keptMs))) return { ask, answer }
    onHeard()
    const apartMs = Math.random() * Math.min(mostApartMs, 1 + 2 * (answeredAt - askedAt))
    await new Promise((resolve) => setTimeout(resolve, apartMs))
  }
  throw new RateLimitStoreError(`what is kept in ${store.name} could not be changed in time`)
}
