import { type Ledger, newLedger, soundLedger } from '../../../src/stores/rate-limit/ledger.js'
import { reserve, type SlotRequest, type SlotResponse } from '../../../src/stores/rate-limit/reservation.js'

/** A request of a customer at ten a second, by a process that knows nothing. */
export function requestOf(more: Partial<SlotRequest> = {}): SlotRequest {
  return {
    want: 'customer',
    slots: 10,
    windowMs: 1080,
    leadMs: 0,
    aheadMs: 5000,
    ticket: 0,
    validMs: 0,
    grant: 1,
    used: [],
    knownId: 0,
    knownCount: 0,
    quietMs: 0,
    clearingMs: 0,
    pauseMs: 0,
    returningMs: 0,
    ...more,
  }
}

/** A ledger that is changed as in the stores, begun so long ago that nothing is left of then. */
export class MemoryLedger {
  #ledger: Ledger | undefined = newLedger(1, 0)
  calls = 0

  request(request: SlotRequest, now: number): SlotResponse {
    this.calls++
    const [ledger, response] = reserve(soundLedger(this.#ledger, request.windowMs, now), request, now)
    this.#ledger = ledger
    return response
  }

  forget(): void {
    this.#ledger = undefined
  }
}
