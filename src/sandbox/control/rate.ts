import { STEP_MS } from '../gateway/rate-meter.js'
import type { LiveUpdate, Rate } from './messages.js'
import type { PageParts } from './parts.js'

export function rateOf({ clock, meter, settings }: PageParts): Rate {
  const now = clock.monotonic()
  return {
    limit: settings.rateLimit === false ? null : settings.rateLimit,
    now: now / STEP_MS,
    moving: clock.mode === 'real',
    samples: meter.read(now).map(({ step, passed, refused }) => [step, passed, refused]),
  }
}

export function liveUpdateOf(parts: PageParts): LiveUpdate {
  const { ledger, clock } = parts
  return { now: clock.now(), held: ledger.payins.size + ledger.payouts.size, rate: rateOf(parts) }
}
