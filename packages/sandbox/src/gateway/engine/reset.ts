import type { SandboxParts } from '../assemble.js'

type ResettableParts = Pick<
  SandboxParts,
  'balances' | 'callbackFaults' | 'callbacks' | 'clock' | 'endpoints' | 'faults' | 'ledger' | 'log'
>

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
