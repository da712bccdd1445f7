import type { Answer, Ask } from '../../../src/stores/rate-limit/ask.js'
import { type Ledger, newLedger, soundLedger } from '../../../src/stores/rate-limit/ledger.js'
import { reserve } from '../../../src/stores/rate-limit/reservation.js'

/** An ask of a customer at ten a second, by a process that knows nothing. */
export function askOf(more: Partial<Ask> = {}): Ask {
  return {
    want: 'customer',
    slots: 10,
    windowMs: 1080,
    leadMs: 0,
    knownId: 0,
    knownCount: 0,
    quietMs: 0,
    clearingMs: 0,
    grant: 1,
    goodForMs: 0,
    used: [],
    process: 1,
    pauseMs: 0,
    returningMs: 0,
    ...more,
  }
}

/** A ledger that is asked as the stores are, begun so long ago that nothing is left of then. */
export class MemoryLedger {
  #ledger: Ledger | undefined = newLedger(1, 0)
  calls = 0

  ask(ask: Ask, now: number): Answer {
    this.calls++
    const [ledger, answer] = reserve(soundLedger(this.#ledger, ask, now), ask, now)
    this.#ledger = ledger
    return answer
  }

  forget(): void {
    this.#ledger = undefined
  }
}
