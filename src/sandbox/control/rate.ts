import { STEP_MS } from '../gateway/rate-meter.js'
import type { News, Rate } from './messages.js'
import type { PageParts } from './parts.js'

export function rateOf({ clock, meter, settings }: PageParts): Rate {
  const now = clock.monotonic()
  return {
    limit: settings.rateLimit === false ? null : settings.rateLimit,
    now: now / STEP_MS,
    moving: clock.mode === 'real',
    beats: meter.read(now).map(({ step, passed, refused }) => [step, passed, refused]),
  }
}

export function newsOf(parts: PageParts): News {
  const { bank, clock } = parts
  return { now: clock.now(), held: bank.payins.size + bank.payouts.size, rate: rateOf(parts) }
}
