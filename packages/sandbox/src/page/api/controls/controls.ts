import { asRefusal } from '../http/responses.js'
import type { Mask } from '../mask.js'
import type { ClockOrder } from '../orders.js'
import type { PageParts } from '../parts.js'
import { armedFaults, faultForms } from './page-faults.js'

/** What the bar at the top of the page shows. */
export type SandboxState = ReturnType<typeof stateOf>
/** What does not change while the sandbox runs. */
export type Info = ReturnType<typeof infoOf>

export function stateOf(parts: PageParts, mask: Mask) {
  const { clock, limiter, balances, settings } = parts
  const { kind, limit } = limiter.state
  return {
    clock: { mode: clock.mode, now: clock.now(), skewMs: clock.skewMs },
    /** Null without a limit. */
    limiter: { kind, limit: limit === false ? null : limit },
    balances: balances.list('').map(({ money }) => money),
    faults: armedFaults(parts, mask),
    /** What can be chosen when a payment is created. */
    operators: settings.paymentOperators,
  }
}

/** Moves a virtual clock on, or sets any clock wrong. */
export function moveClock(order: ClockOrder, { clock }: Pick<PageParts, 'clock'>): Promise<void> | void {
  if ('advanceMs' in order) return asRefusal(() => clock.advance(order.advanceMs))
  clock.skew(order.skewMs, order.forMs)
}

export function infoOf({ settings, clock }: PageParts) {
  const { merchantCode, basePath } = settings
  const magic = settings.magicAmounts.map(({ amount, operatorCode = null, meaning }) => {
    return { amount, operatorCode, meaning }
  })
  return { merchantCode, basePath, clock: clock.mode, magic, faults: faultForms }
}
