import type { RouteName } from '../wire/routes.js'
import type { CallbackAim, CallbackFaultOptions, FaultHandle, FaultOptions } from './fault.js'
import { FIELD_OF_EVERY_PAYMENT, UNKNOWN_STATUS } from './fault-kinds.js'

/** Which requests a rare thing happens to: the next one, unless told otherwise. */
export type RareAim = Omit<FaultOptions, 'route' | 'action'>

/** Which requests do not find a payment, and until when. */
export interface FoundLaterAim extends RareAim {
  /** The age, in milliseconds by the sandbox's clock, from which a payment is found: 1000 by default. */
  readonly afterMs?: number
}

/** Which answers have a status that nobody has heard of. */
export interface UnknownStatusAim extends RareAim {
  /** The status: `UNDER_REVIEW` by default. */
  readonly status?: string
}

/** Which requests are too many. */
export interface TooManyRequestsAim extends RareAim {
  /** Retry-After, in seconds; none when absent. */
  readonly retryAfterSecs?: number
  /** Whether Retry-After comes in seconds, as by default, or as a date. */
  readonly as?: 'seconds' | 'date'
}

/** The endpoints that create a payment. */
export type CreateRoute = 'POST /payins/{idPayin}' | 'POST /payouts/{idPayout}'

/** The endpoints that show a payment's status. */
export type StatusRoute = 'GET /payins/{idPayin}' | 'GET /payouts/{idPayout}'

/**
 * Things that happen once a year at a gateway, each with one call. What they arm is a fault of
 * `sandbox.fault` or `sandbox.callbackFault`: `clearFaults` disarms all of them.
 *
 * A limiter of another kind is not here, because it lasts: it is the option `limiter`.
 *
 * @example
 * ```ts
 * sandbox.rare.answerLost('POST /payouts/{idPayout}')
 * await client.payouts.create(payout) // accepted, the answer lost, tried again, 409, looked up
 * expectExactlyOnce(sandbox, payout.idPayout)
 * ```
 */
export interface Rare {
  /** The request is processed, and then the connection is reset. */
  answerLost(route: RouteName, aim?: RareAim): FaultHandle
  /** The request is processed; headers and half of the body arrive, and then nothing more. */
  bodyStalled(route: RouteName, aim?: RareAim): FaultHandle
  /** The payment becomes PENDING, and its callback is delivered and answered before the create is. */
  callbackBeforeAnswer(route: CreateRoute, aim?: RareAim): FaultHandle
  /** A callback is sent two times. */
  callbackTwice(aim?: CallbackAim): FaultHandle
  /** A callback is sent `byMs` milliseconds late, by the sandbox's clock. */
  callbackLate(byMs: number, aim?: CallbackAim): FaultHandle
  /** A callback comes after the next one about the same payment. */
  callbacksOutOfOrder(aim?: CallbackAim): FaultHandle
  /** A callback is not sent. */
  callbackMissing(aim?: CallbackAim): FaultHandle
  /**
   * A payment is not found (404) until it is `afterMs` old, 1000 by default, however often it is asked for.
   * Every payment, unless `aim.times` says how many requests.
   */
  foundLater(route: StatusRoute, aim?: FoundLaterAim): FaultHandle
  /** The answer has a status that nobody has heard of; `UNDER_REVIEW`, unless told otherwise. */
  unknownStatus(route: StatusRoute, aim?: UnknownStatusAim): FaultHandle
  /**
   * The answer has null where a string was.
   * @param field with dots; `paymentMethodResponse.paymentMethodCode` by default, which every answer about a
   *   payment has. An answer without a string there becomes a 500 that says so.
   */
  nullForString(route: RouteName, field?: string, aim?: RareAim): FaultHandle
  /** Every object of the answer has fields that nobody has heard of (section 9 allows it at any time). */
  extraFields(route: RouteName, aim?: RareAim): FaultHandle
  /**
   * The gateway's clock is wrong by `byMs` milliseconds: ahead, or behind when negative. `Date`, `iat`, the
   * check of `timestamp` and the expiry of tokens follow it; timers do not. 0 or `clearFaults` sets it right.
   */
  clockSkewed(byMs: number): void
  /** Every token that was minted until now is revoked: 401. */
  tokensRevoked(): Promise<void>
  /** Two creates race: another one with the same id and content is accepted, and this one is answered 409. */
  createsRace(route: CreateRoute, aim?: RareAim): FaultHandle
  /**
   * 429, not processed. Without `retryAfterSecs` there is no Retry-After.
   */
  tooManyRequests(route: RouteName | '*', aim?: TooManyRequestsAim): FaultHandle
}

/** What of a sandbox the rare things are made with. */
interface RareParts {
  fault(fault: FaultOptions): FaultHandle
  callbackFault(fault: CallbackFaultOptions): FaultHandle
  revokeTokens(): Promise<void>
  skew(byMs: number): void
}

/** One call for each rare thing, made of the sandbox's faults. */
export function createRare({ fault, callbackFault, revokeTokens, skew }: RareParts): Rare {
  return {
    answerLost: (route, aim) => fault({ ...aim, route, action: { kind: 'drop-after' } }),
    bodyStalled: (route, aim) => fault({ ...aim, route, action: { kind: 'stall-body' } }),
    callbackBeforeAnswer: (route, aim) => fault({ ...aim, route, action: { kind: 'callback-first' } }),
    callbackTwice: (aim) => callbackFault({ ...aim, action: { kind: 'twice' } }),
    callbackLate: (byMs, aim) => callbackFault({ ...aim, action: { kind: 'late', ms: byMs } }),
    callbacksOutOfOrder: (aim) => callbackFault({ ...aim, action: { kind: 'swapped' } }),
    callbackMissing: (aim) => callbackFault({ ...aim, action: { kind: 'missing' } }),
    foundLater: (route, { afterMs = 1000, times = Number.POSITIVE_INFINITY, ...aim } = {}) => {
      return fault({ ...aim, times, route, action: { kind: 'hide', ms: afterMs } })
    },
    unknownStatus: (route, { status = UNKNOWN_STATUS, ...aim } = {}) => {
      return fault({ ...aim, route, action: { kind: 'unknown-status', status } })
    },
    nullForString: (route, field = FIELD_OF_EVERY_PAYMENT, aim = {}) => {
      return fault({ ...aim, route, action: { kind: 'null-for-string', field } })
    },
    extraFields: (route, aim) => fault({ ...aim, route, action: { kind: 'extra-fields' } }),
    clockSkewed: (byMs) => {
      if (!Number.isFinite(byMs)) throw new Error('clockSkewed(byMs) takes a number of milliseconds.')
      skew(byMs)
    },
    tokensRevoked: () => revokeTokens(),
    createsRace: (route, aim) => fault({ ...aim, route, action: { kind: 'overtaken' } }),
    tooManyRequests: (route, { retryAfterSecs, as = 'seconds', ...aim } = {}) => {
      const when = retryAfterSecs === undefined ? {} : { retryAfterSecs }
      return fault({ ...aim, route, action: { kind: 'rate-limit', as, ...when } })
    },
  }
}
