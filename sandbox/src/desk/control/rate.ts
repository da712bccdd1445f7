import { STEP_MS } from '../../gateway/engine/rate-meter.js'
import type { LiveUpdate, Rate } from './messages/payments.js'
import type { PageParts } from './parts/parts.js'

export function rateOf({ clock, meter, limiter }: PageParts): Rate {
  const now = clock.monotonic()
  return {
    limit: limiter.state.limit === false ? null : limiter.state.limit,
    now: now / STEP_MS,
    moving: clock.mode === 'real',
    samples: meter.read(now).map(({ step, passed, refused }) => [step, passed, refused]),
  }
}

export function liveUpdateOf(parts: PageParts): LiveUpdate {
  const { ledger, clock } = parts
  return { now: clock.now(), held: ledger.payins.size + ledger.payouts.size, rate: rateOf(parts) }
}
