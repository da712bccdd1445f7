import type { SandboxParts } from '../../../gateway/assemble.js'
import type { ClockBody, LimiterBody } from '../bodies.js'
import { asRefusal } from '../http/endpoint.js'
import type { Mask } from '../mask.js'
import { faultForms, faultsOf } from './faults.js'

export type SandboxState = ReturnType<typeof stateOf>
export type LiveState = ReturnType<typeof liveStateOf>
export type Info = ReturnType<typeof infoOf>

export function stateOf(parts: SandboxParts, mask: Mask) {
  const { clock, limiter, balances, settings } = parts
  const { kind, limit } = limiter.state
  return {
    clock: { mode: clock.mode, now: clock.now(), skewMs: clock.skewMs },
    /** Null without a limit. */
    limiter: { kind, limit: limit === false ? null : limit },
    balances: balances.list('').map(({ money }) => money),
    faults: faultsOf(parts, mask),
    operators: settings.paymentOperators,
  }
}

/** What the page asks for twice a second: another number than before says that something has changed. */
export function liveStateOf({ changes }: SandboxParts) {
  return { changes: changes.count }
}

export function infoOf({ settings }: SandboxParts, origin: string, keyFile: string | null = null) {
  const { merchantCode, basePath, payAfterMs, timestampUnit } = settings
  const magic = settings.magicAmounts.map(({ amount, operatorCode, meaning }) => {
    return { amount, operatorCode, meaning }
  })
  /** Until a payment is paid by itself; null for never. */
  const paysAfterMs = payAfterMs === false ? null : payAfterMs
  const place = { merchantCode, baseUrl: origin + basePath, basePath, timestampUnit, keyFile }
  return { ...place, paysAfterMs, magic, faults: faultForms }
}

export function moveClock(body: ClockBody, { clock }: Pick<SandboxParts, 'clock'>): Promise<void> | void {
  if ('advanceMs' in body) return asRefusal(() => clock.advance(body.advanceMs))
  clock.skew(body.skewMs, body.forMs)
}

/** @throws for a limit that cannot be ({@link PageRefusal}). */
export function changeLimiter(
  { kind, limit }: LimiterBody,
  { limiter }: Pick<SandboxParts, 'limiter'>,
): void {
  asRefusal(() =>
    limiter.change({
      ...(kind === undefined ? {} : { kind }),
      ...(limit === undefined ? {} : { limit: limit ?? false }),
    }),
  )
}
