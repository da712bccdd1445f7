import type { CallbackFaultOptions, FaultOptions } from '../gateway/faults/fault.js'
import type { PaymentKind } from '../gateway/payments/payment.js'
import type { Stage } from './context.js'

/** Which answers of the gateway go wrong, and how. */
export interface CaseFault {
  /** Those to creates, to status requests, or to all requests. */
  readonly at: 'create' | 'status' | '*'
  /** How often, unless once: until the first action is over, however often the application tries by itself, or always. */
  readonly lasts?: 'until tried again' | 'always'
  readonly action: FaultOptions['action']
  /** Whether a response is held beyond a person's patience, and not only for its own time. */
  readonly isBeyondPatience?: true
}

/** What happens while the first action is under way. Arrival is that of the request which meets the fault. */
export type During =
  | 'action at once'
  | 'action on arrival'
  | 'kill on arrival'
  | 'kill at any moment'
  | 'pay before the response'

/** What happens at the moment in which the payment succeeds. */
export type AtPayment = 'visit' | 'stale status request' | 'failed status requests' | 'kill'

/** A case is what happens to the gateway or to the application, beside letting a person action. */
export interface Case {
  readonly name: string
  readonly title: string
  /** As in "made a new id after the lost response". */
  readonly cause: string
  readonly fault?: CaseFault
  readonly callbackFault?: Pick<CallbackFaultOptions, 'action' | 'times'>
  /** Whether callbacks wait until the customer has tried again: one would heal what was lost. */
  readonly withholds?: true
  /** Whether tokens are revoked before, so that the first request makes no payment. */
  readonly revokes?: true
  readonly during?: During
  /**
   * When the first action is over, the application is restarted and acted upon again, perhaps with a clock that is a
   * minute later; or it goes on two hours later; or the customer pays a while later.
   */
  readonly after?: 'restart' | 'a minute' | 'two hours' | 'a while'
  /** Whether the payment is paid before those two hours. */
  readonly isPaidBefore?: true
  readonly atPayment?: AtPayment
  /** Whether the customer comes back to the shop by the create's returnUrl, and has not paid. */
  readonly returns?: true
  /** What becomes of the payment: SUCCESS by default. */
  readonly end?: 'FAILED' | 'EXPIRED' | 'UNDER_REVIEW'
  /** What the gateway shows of a payin that has succeeded, where that is not the money that was asked for. */
  readonly shows?: string
  /** How often the last callback is sent in the same moment as the first. */
  readonly moreCallbacks?: number
  /** Whether it means nothing without a callback. */
  readonly isCalledBack?: true
}

/** What of a stage says how a case goes wrong there. */
export type Place = Pick<Stage, 'patienceMs' | 'reference'>

/** Two hours are more than any shop waits that gives up after one. */
const later: Partial<Record<NonNullable<Case['after']>, number>> = {
  'a minute': 61_000,
  'two hours': 7_200_000,
}
/** How long after the action began an application is killed, in ms. Those that tell most come first: time may be over. */
export const moments = [45, 150, 15, 80, 500, 5, 100, 30, 250, 1, 60, 1000] as const
/** How long after the response that says SUCCESS an application is killed, in ms; undefined: before it. */
export const paidMoments = [undefined, 100, 20, 400, 2] as const

/** By how much the application's clock is later. */
export function laterMsOf({ after }: Case): number | undefined {
  return after && later[after]
}

/** The names of its rounds, each of which takes an order; a case without rounds has one, without a name. */
export function roundsOf({ atPayment, during }: Case): readonly (string | undefined)[] {
  if (atPayment === 'kill') {
    return paidMoments.map((ms) => (ms === undefined ? 'inside the callback' : `${ms} ms after the response`))
  }
  return during === 'kill at any moment' ? moments.map((ms) => `${ms} ms after the action`) : [undefined]
}

/** Whether it happens to callbacks. */
export function needsCallbacks({ callbackFault, isCalledBack, isPaidBefore, moreCallbacks }: Case): boolean {
  return isPaidBefore === undefined && (callbackFault ?? moreCallbacks ?? isCalledBack) !== undefined
}

/** Whether it shows nothing where nobody says whether an order is paid. */
export function needsStatus({ after, atPayment = 'visit', end, returns, shows }: Case): boolean {
  return (returns ?? end ?? shows) !== undefined || after === 'two hours' || atPayment !== 'visit'
}

/** When no other order may be played: until its first actions are over, or all the time. */
export function aloneOf(one: Case): 'first action' | 'all' | undefined {
  const isSeenByAll = laterMsOf(one) !== undefined || one.atPayment === 'kill'
  if (isSeenByAll || one.fault?.action.kind === 'revoke-token') return 'all'
  return isKilled(one) ? 'first action' : undefined
}

export function isKilled({ after, atPayment, during }: Case): boolean {
  const isRestarted = after !== undefined && after !== 'a while'
  return isRestarted || atPayment === 'kill' || during?.startsWith('kill') === true
}

export function faultOf({ fault }: Case, { patienceMs, reference }: Place): FaultOptions | undefined {
  if (fault === undefined) return undefined
  const { action, at, isBeyondPatience, lasts } = fault
  return {
    route: at === '*' ? at : routeOf(at, reference.kind),
    times: lasts === undefined ? 1 : Number.POSITIVE_INFINITY,
    action: isBeyondPatience && action.kind === 'delay' ? { ...action, ms: action.ms + patienceMs } : action,
  }
}

/** How long it holds a response: a rehearsal waits that long before it counts. */
export function holdMsOf(one: Case, place: Place): number {
  const action = faultOf(one, place)?.action
  return action?.kind === 'delay' ? action.ms : 0
}

export function routeOf(at: 'create' | 'status', kind: PaymentKind) {
  const method = at === 'create' ? 'POST' : 'GET'
  return kind === 'payin'
    ? (`${method} /payins/{idPayin}` as const)
    : (`${method} /payouts/{idPayout}` as const)
}
