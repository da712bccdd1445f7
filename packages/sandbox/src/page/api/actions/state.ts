import type { ClockBody, LimiterBody } from '../bodies.js'
import { asRefusal } from '../http/responses.js'
import type { Mask } from '../mask.js'
import type { PageParts } from '../parts.js'
import { faultForms, faultsOf } from './faults.js'

/** What the bar at the top of the page shows. */
export type SandboxState = ReturnType<typeof stateOf>
export type LiveState = ReturnType<typeof liveStateOf>
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
    faults: faultsOf(parts, mask),
    /** What can be chosen when a payment is created. */
    operators: settings.paymentOperators,
  }
}

/** What the page asks for twice a second. It costs next to nothing: it reads no payment and no request. */
export function liveStateOf({ changes, clock, limiter, meter }: PageParts) {
  const { limit } = limiter.state
  return {
    /** Another number than before: something has changed. */
    changes: changes.count,
    /** The requests of the last minute; the limit is for a second, null for none. */
    rate: { ...meter.read(clock.monotonic()), limit: limit === false ? null : limit },
  }
}

export function infoOf({ settings }: PageParts) {
  const { merchantCode, basePath } = settings
  const magic = settings.magicAmounts.map(({ amount, operatorCode, meaning }) => {
    return { amount, operatorCode, meaning }
  })
  return { merchantCode, basePath, magic, faults: faultForms }
}

/** Advances a virtual clock, or sets any clock wrong. */
export function moveClock(body: ClockBody, { clock }: Pick<PageParts, 'clock'>): Promise<void> | void {
  if ('advanceMs' in body) return asRefusal(() => clock.advance(body.advanceMs))
  clock.skew(body.skewMs, body.forMs)
}

/** @throws PageRefusal for a limit that cannot be */
export function changeLimiter({ kind, limit }: LimiterBody, { limiter }: Pick<PageParts, 'limiter'>): void {
  asRefusal(() =>
    limiter.change({
      ...(kind === undefined ? {} : { kind }),
      ...(limit === undefined ? {} : { limit: limit ?? false }),
    }),
  )
}
