import { asRefusal } from '../http/responses.js'
import type { Mask } from '../mask/mask.js'
import type { SandboxState } from '../messages/controls.js'
import type { ClockOrder } from '../orders.js'
import type { PageParts } from '../parts/parts.js'
import { armedFaults } from './page-faults.js'

/** What the bar at the top of the page shows. */
export function stateOf(parts: PageParts, mask: Mask): SandboxState {
  const { clock, limiter, balances, settings } = parts
  const { kind, limit } = limiter.state
  const free = limiter.free(clock.monotonic())
  return {
    clock: { mode: clock.mode, now: clock.now(), skewMs: clock.skewMs },
    limiter: limit === false ? { kind, limit: null, free: null } : { kind, limit, free },
    balances: balances.list('').map(({ money }) => money),
    faults: armedFaults(parts, mask),
    operators: settings.paymentOperators,
  }
}

/** Moves a virtual clock on, or sets any clock wrong. */
export function moveClock(order: ClockOrder, { clock }: Pick<PageParts, 'clock'>): Promise<void> | void {
  if ('advanceMs' in order) return asRefusal(() => clock.advance(order.advanceMs))
  clock.skew(order.skewMs, order.forMs)
}
