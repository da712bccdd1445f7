import { wait } from '../client/input/wait.js'
import type { BoundedDedupe, Previous } from './bounded-dedupe.js'
import type { DeliveredStatus } from './dedupe.js'
import type { LookupQueue, Ticket } from './lookup-queue.js'
import type { CallbackTarget } from './signed-path.js'

/** For how long other processes leave the status request for a payment to the one that makes it, in milliseconds. */
const claimMs = 5000
/** When they check again whether it has been made. */
const claimedAgainMs = 200

export interface LookupTurnParts {
  readonly dedupe: BoundedDedupe
  readonly queue: LookupQueue
  readonly draining: AbortSignal
}

/** The turn of one payment's status request: its place in this process's queue, and its claim among all processes. */
export class LookupTurn implements Ticket {
  dueAt = Number.POSITIVE_INFINITY
  /** Whether the status request has begun: from then on, a callback gets one of its own. */
  hasBegun = false
  readonly #parts: LookupTurnParts
  readonly #target: CallbackTarget
  /** The number of the last callback that it is for. */
  #arrived: Promise<number | undefined> | undefined
  /** Whether the outcome is known, so that its callbacks are copies as a rule. */
  #isOver = false
  #claimed: number | undefined
  #waitsUntil: number | undefined

  constructor(parts: LookupTurnParts, target: CallbackTarget) {
    this.#parts = parts
    this.#target = target
  }

  /** One more callback of the payment: its newest state is worth more than that of payments that have changed once. */
  joined(): void {
    this.#arrived = this.#parts.dedupe.count(this.#target)
    if (this.#isOver) return
    this.dueAt = performance.now()
    this.#parts.queue.serve()
  }

  async isKnown(): Promise<boolean> {
    if (this.hasBegun) return false
    const known = await this.#parts.dedupe.previous(this.#target)
    return isRequestedSince(await this.#arrived, known?.delivered)
  }

  /**
   * Waits for its turn: not before its time, not too many at once, and not at all when another process does it.
   *
   * @param gapMs how long it has to wait in any case.
   * @returns what is known before the request, which the queue waits for; or that nothing has to be requested.
   */
  async come(gapMs: number): Promise<{ readonly before: Previous | undefined } | 'known'> {
    const { dedupe, queue, draining } = this.#parts
    const atArrival = dedupe.previous(this.#target)
    this.#arrived = atArrival.then((known) => known?.requestNumber)
    const knownAtArrival = await atArrival
    if (gapMs > 0) await wait(gapMs, draining)
    this.#isOver = isOver(knownAtArrival)
    this.dueAt = Math.min(this.dueAt, performance.now() + patienceMs(knownAtArrival))
    for (;;) {
      await queue.enter(this)
      // What is read from here on may be older than a callback that comes now.
      this.hasBegun = true
      const [before, isClaimed] = draining.aborted
        ? [undefined, false]
        : await Promise.all([dedupe.previous(this.#target), this.#isClaimed(knownAtArrival?.requestNumber)])
      const next = await this.#decide(before, isClaimed)
      if (next === 'request') return { before }
      queue.leave()
      void this.end()
      if (next === 'known') return next
      this.hasBegun = false
      if (next === 'claimed') await wait(claimedAgainMs, draining)
      else this.dueAt = performance.now() + patienceMs(before)
      this.#isOver = isOver(before)
    }
  }

  /** It is dealt with, well or not: other processes may ask. */
  async end(): Promise<void> {
    const claimed = this.#claimed
    this.#claimed = undefined
    if (claimed !== undefined) await this.#parts.dedupe.claim(this.#target, claimed, 0)
  }

  async #decide(
    known: Previous | undefined,
    isClaimed: boolean,
  ): Promise<'request' | 'known' | 'claimed' | 'put-off'> {
    if (isRequestedSince(await this.#arrived, known?.delivered)) return 'known'
    // Another process has found the outcome meanwhile, and others are due before what may be a copy.
    if (isOver(known) && !this.#isOver) return 'put-off'
    return isClaimed ? 'claimed' : 'request'
  }

  /** Whether the request is another process's; otherwise it is claimed for this one. */
  async #isClaimed(number: number | undefined): Promise<boolean> {
    if (number === undefined) return false
    const holder = await this.#parts.dedupe.claim(this.#target, number, claimMs)
    if (holder === number) this.#claimed = number
    if (holder === undefined || holder === number) return false
    // Whoever holds it may have been killed.
    this.#waitsUntil ??= performance.now() + claimMs
    return performance.now() < this.#waitsUntil
  }
}

/**
 * Whether somebody has dealt with the payment by a status request that began after the callback had arrived. One that
 * had begun before may show what was there before the callback's change, so that it says nothing.
 */
function isRequestedSince(arrived: number | undefined, delivered: DeliveredStatus | undefined): boolean {
  const requestNumber = delivered?.requestNumber
  return typeof arrived === 'number' && typeof requestNumber === 'number' && requestNumber > arrived
}

/**
 * How much later than others a callback is due, in milliseconds: the newest state of many payments is worth more than
 * every state of one. The first callback of a payment is followed by that of its outcome, as a rule, and what comes
 * after a final status is a copy, as a rule. Where nothing else waits, neither waits.
 */
function patienceMs(known: Previous | undefined): number {
  if (isOver(known)) return 60_000
  const isFirst = known !== undefined && known.delivered === undefined && (known.requestNumber ?? 1) === 1
  return isFirst ? 5000 : 0
}

function isOver(known: Previous | undefined): boolean {
  return known?.delivered?.final === true
}
