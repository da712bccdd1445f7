import type { CallbackFaultAction } from './callback-fault.js'
import type { FaultAction } from './fault.js'
import type { FirstCreate, MagicAmount } from './magic-amounts.js'
import { type ChangeBody, nullWhereShown, withExtraFields } from './response-changes.js'

const MINUTE_MS = 60_000

/** What `skew-clock` of a magic amount does: to the one payment, because its clock is everybody's. */
export const magicSkew = { ms: 60 * MINUTE_MS, forMs: MINUTE_MS } as const

/** The fault that each `firstCreate` of a magic amount stands for; null where it is no fault of the request. */
export const firstCreateFaults: Readonly<Record<FirstCreate, FaultAction | null>> = {
  'drop-before': { kind: 'drop-before' },
  'drop-after': { kind: 'drop-after' },
  'error-before': { kind: 'status', status: 503 },
  'error-after': { kind: 'status', status: 500, processed: true },
  'timeout-before': { kind: 'timeout' },
  'timeout-after': { kind: 'timeout', processed: true },
  'stall-body': { kind: 'stall-body' },
  'cut-body': { kind: 'cut-body' },
  html: { kind: 'html', status: 502, processed: true },
  slow: { kind: 'delay', ms: 3000 },
  'rate-limit': { kind: 'rate-limit' },
  'rate-limit-retry-after': { kind: 'rate-limit', retryAfterSecs: 2 },
  overtaken: { kind: 'overtaken' },
  'callback-first': { kind: 'callback-first' },
  'revoke-token': { kind: 'revoke-token' },
  'skew-clock': null,
}

/** The fault that each `callbacks` of a magic amount stands for. */
export const callbackFaults: Readonly<Record<CallbackFaultAction['kind'], CallbackFaultAction>> = {
  missing: { kind: 'missing' },
  twice: { kind: 'twice' },
  late: { kind: 'late', ms: 10_000 },
  swapped: { kind: 'swapped' },
}

/** How long `hidden-at-first` answers 404, from the creation. */
export const HIDDEN_MS = 1000

/** What each `answers` of a magic amount does to the bodies. */
export const responseChanges: Readonly<Record<NonNullable<MagicAmount['answers']>, ChangeBody>> = {
  'null-for-string': nullWhereShown('paymentMethodResponse.paymentMethodCode'),
  'extra-fields': withExtraFields,
  // The endpoint hides the payment; the body stays.
  'hidden-at-first': (json) => json,
}
