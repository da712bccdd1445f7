import type { CallbackSender } from '../callbacks/sender.js'
import type { Clock } from '../clock/clock.js'
import type { CallbackFaults } from '../faults/callback-faults.js'
import type { Faults } from '../faults/faults.js'
import type { Balances } from '../payments/balances.js'
import type { Endpoints } from './endpoints.js'
import type { Ledger } from './ledger.js'
import type { RequestLog } from './request-log.js'

/** What a sandbox forgets. */
export interface ResettableParts {
  readonly balances: Balances
  readonly callbackFaults: CallbackFaults
  readonly callbacks: CallbackSender
  readonly clock: Clock
  readonly endpoints: Endpoints
  readonly faults: Faults
  readonly ledger: Ledger
  readonly log: RequestLog
}

/** Disarms all faults and sets the clock right. */
export function disarmAll({ faults, callbackFaults, clock }: ResettableParts): void {
  faults.clear()
  callbackFaults.clear()
  clock.skew(0)
}

/** Forgets payments, callbacks, logs and faults. What the clock shows, the limiter and the tokens stay. */
export function reset(parts: ResettableParts): void {
  disarmAll(parts)
  parts.ledger.clear()
  parts.callbacks.forgetWaiting()
  parts.callbacks.clearLog()
  parts.log.clear()
  parts.endpoints.forgetFirstCreates()
  parts.balances.reset()
}
