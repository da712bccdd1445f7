import type { DeliveredStatus } from './dedupe.js'

/** What the store knows of a payment just before a status request. */
export interface Known {
  readonly delivered: DeliveredStatus | undefined
  /** The number of the status request that begins now; undefined where the store doesn't count. */
  readonly requestNumber: number | undefined
}

export function isOver(known: Known | undefined): boolean {
  return known?.delivered?.final === true
}

/**
 * How much later than others a callback is due, in milliseconds: the newest state of many payments is worth more than
 * every state of one. The first callback of a payment is followed by that of its outcome, as a rule, and what comes
 * after a final status is a copy, as a rule. Where nothing else waits, neither waits.
 */
export function patienceMs(known: Known | undefined): number {
  if (isOver(known)) return 60_000
  const isFirst = known !== undefined && known.delivered === undefined && (known.requestNumber ?? 1) === 1
  return isFirst ? 5000 : 0
}

/**
 * Whether somebody has dealt with the payment by a status request that began after the callback had arrived. One that
 * had begun before may show what was there before the callback's change, so it says nothing.
 *
 * @param arrivedAt the number of the last status request that had begun when the callback arrived.
 */
export function isRequestedSince(arrivedAt: number | undefined, known: Known | undefined): boolean {
  const requestNumber = known?.delivered?.requestNumber
  return arrivedAt !== undefined && requestNumber !== undefined && requestNumber > arrivedAt
}

/** What is decided when the turn of a status request has come. */
export interface Turn {
  readonly arrivedAt: number | undefined
  readonly known: Known | undefined
  /** Whether the payment was known to be final when the request got its place in the queue. */
  readonly wasOver: boolean
  /** Whether another process is making the request. */
  readonly isClaimed: boolean
}

/**
 * `known`: another process has dealt with it. `put-off`: another process has found the outcome meanwhile, and others
 * are due before what may be a copy. `claimed`: another process is making the request.
 */
export type TurnStep = 'request' | 'known' | 'put-off' | 'claimed'

export function stepOf({ arrivedAt, known, wasOver, isClaimed }: Turn): TurnStep {
  if (isRequestedSince(arrivedAt, known)) return 'known'
  if (isOver(known) && !wasOver) return 'put-off'
  return isClaimed ? 'claimed' : 'request'
}

/**
 * Whether another process may have requested the status later than this one: something else has been delivered since
 * just before the status request. Which of the two requests is the older one, nobody knows.
 */
export function isOvertaken(
  before: DeliveredStatus | undefined,
  last: DeliveredStatus | undefined,
  now: DeliveredStatus,
): boolean {
  if (last === undefined || !saysOther(last, now)) return false
  return before === undefined || saysOther(before, last) || before.requestNumber !== last.requestNumber
}

export interface Verdict {
  /** Whether the merchant's function is called. */
  readonly isCalled: boolean
  /** Whether the status differs from the one it was called with last. */
  readonly isNew: boolean
}

/**
 * A final status is delivered once, and what comes after it as well, be it final or not. A status that is not final
 * is delivered at each callback, since only the merchant knows what it means.
 */
export function judge(last: DeliveredStatus | undefined, now: DeliveredStatus): Verdict {
  const isNew = last === undefined || saysOther(last, now)
  return { isCalled: isNew || !now.final, isNew }
}

function saysOther(one: DeliveredStatus, other: DeliveredStatus): boolean {
  return one.status !== other.status || one.final !== other.final
}

/** How many status requests for one payment may show nothing new before there are gaps between them. */
const freeRequests = 50
const firstGapMs = 1_000
const longestGapMs = 60_000

/** The status requests that callbacks of one payment have caused. */
export interface Requests {
  /** What the last one showed; undefined while none has succeeded. */
  readonly shown: { readonly status: string | undefined } | undefined
  /** How many in a row have shown nothing new; 0 right after a new status. */
  readonly unchanged: number
  /** When the last one ended, on the monotonic clock. */
  readonly at: number
}

/** @param shown what the request showed; undefined where it failed, or was left to a queue. */
export function afterRequest(requests: Requests | undefined, shown: Requests['shown'], at: number): Requests {
  const last = requests?.shown
  const isNew = shown !== undefined && (last === undefined || last.status !== shown.status)
  return { shown: shown ?? last, unchanged: isNew ? 0 : (requests?.unchanged ?? 0) + 1, at }
}

/**
 * How long the next status request for a payment has to wait, in milliseconds. It bounds what somebody who has read one
 * callback URL can cost: after fifty requests in a row that show nothing new, the gap is a second, then two, four, and
 * so on up to a minute.
 */
export function gapMs(requests: Requests | undefined, now: number): number {
  if (requests === undefined || requests.unchanged < freeRequests) return 0
  const gap = Math.min(longestGapMs, firstGapMs * 2 ** (requests.unchanged - freeRequests))
  return Math.max(0, requests.at + gap - now)
}
