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
 * How much later than others a callback is due, in milliseconds. As a rule, the first callback of a payment is followed
 * by that of its outcome, and what comes after a final status is a copy. Where nothing else waits, neither waits.
 */
export function patienceMs(known: Known | undefined): number {
  if (known === undefined) return 0
  if (isOver(known)) return 60_000
  const { delivered, requestNumber = 1 } = known
  const isFirst = delivered === undefined && requestNumber === 1
  return isFirst ? 5000 : 0
}

/**
 * Whether somebody has dealt with the payment by a status request that began after the callback had arrived: an earlier
 * one may not show the callback's change.
 *
 * @param arrivedAt the number of the last status request that had begun when the callback arrived.
 */
export function isRequestedSince(arrivedAt: number | undefined, known: Known | undefined): boolean {
  const requestNumber = known?.delivered?.requestNumber
  return arrivedAt !== undefined && requestNumber !== undefined && requestNumber > arrivedAt
}

export interface Turn {
  readonly arrivedAt: number | undefined
  readonly known: Known | undefined
  /** Whether the payment was known to be final when the request got its place in the queue. */
  readonly wasOver: boolean
  /** Whether another process is making the request. */
  readonly isClaimed: boolean
}

/**
 * When the turn of a status request has come. `known`: another process has dealt with the payment. `put-off`: another
 * one has found the outcome, so this may be a copy, and others are due first. `claimed`: another one makes the request.
 */
export type TurnStep = 'request' | 'known' | 'put-off' | 'claimed'

export function stepOf({ arrivedAt, known, wasOver, isClaimed }: Turn): TurnStep {
  if (isRequestedSince(arrivedAt, known)) return 'known'
  if (isOver(known) && !wasOver) return 'put-off'
  return isClaimed ? 'claimed' : 'request'
}

/** Whether another status was delivered during the status request: nobody knows which of the two is the older one. */
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

/** A final status is delivered once. One that is not final is delivered each time: only the merchant knows what it means. */
export function judge(last: DeliveredStatus | undefined, now: DeliveredStatus): Verdict {
  const isNew = last === undefined || saysOther(last, now)
  return { isCalled: isNew || !now.final, isNew }
}

function saysOther(one: DeliveredStatus, other: DeliveredStatus): boolean {
  return one.status !== other.status || one.final !== other.final
}

/** So many status requests for one payment may show nothing new before there are gaps between them. */
const freeRequests = 50
const firstGapMs = 1_000
const longestGapMs = 60_000

/** Of one payment, for callbacks. */
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
 * How long the next status request for a payment has to wait, in milliseconds: somebody who has read its callback URL
 * costs little. After fifty requests that show nothing new, the gap is a second, and then doubles up to a minute.
 */
export function gapMs(requests: Requests | undefined, now: number): number {
  if (requests === undefined || requests.unchanged < freeRequests) return 0
  const gap = Math.min(longestGapMs, firstGapMs * 2 ** (requests.unchanged - freeRequests))
  return Math.max(0, requests.at + gap - now)
}
