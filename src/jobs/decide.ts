import { type ErrorCodeMeaning, errorCodes, type GatewayErrorCode, type Outcome } from '../index.js'
import type { AgainReason, PaymentJobState, StopReason } from './types.js'

export type CreateResult =
  | { readonly kind: 'accepted' }
  /** The gateway has it already, and shows it. */
  | {
      readonly kind: 'found'
      readonly final: boolean
      /** Whether it was there before this run can have made it. */
      readonly existedBefore: boolean
    }
  | Failed

export type StatusResult = { readonly kind: 'found'; readonly final: boolean } | Failed

export interface Failed {
  readonly kind: 'failed'
  readonly code: GatewayErrorCode
  readonly outcome?: Outcome | undefined
  readonly retryAfterMs?: number | undefined
  /** The gateway may have the payment, and its money is not what the client is for: the option `live` refuses it. */
  readonly isOtherMoney?: boolean
}

/** How long to wait, in milliseconds; `random` is from 0 to 1. */
export interface Gaps {
  readonly firstPollMs: number
  readonly longestPollMs: number
  /** How long a payment that is not final is followed; undefined: without an end. */
  readonly followForMs?: number | undefined
  /** Milliseconds since 1970. */
  readonly now: number
  readonly random: number
}

/** What comes after one run, apart from the payment and the error themselves. */
export type Decision =
  | { readonly then: 'done'; readonly final: boolean }
  | {
      readonly then: 'again'
      readonly afterMs: number
      readonly because: AgainReason
      readonly state: PaymentJobState
    }
  | { readonly then: 'stop'; readonly because: StopReason; readonly state: PaymentJobState }

/** It is refused only when no run can have sent it. A payout that no run can have sent is somebody else's until a person has looked. */
export function afterCreate(state: PaymentJobState, result: CreateResult, gaps: Gaps): Decision {
  if (result.kind === 'accepted') return follow(state, gaps)
  if (result.kind === 'found') {
    if (state.outcome === 'not-accepted' && result.existedBefore) {
      return { then: 'stop', because: 'review', state: { ...state, outcome: 'accepted' } }
    }
    return result.final ? { then: 'done', final: true } : follow(state, gaps)
  }
  const { outcome } = result
  const { job } = errorCodes[result.code]
  // Before the outcome: of a conflict that is 'accepted', by another payout or with other money.
  if (job === 'conflict') return { then: 'stop', because: 'conflict', state }
  if (result.isOtherMoney) {
    const outcome = stronger(state.outcome, result.outcome ?? 'accepted')
    return { then: 'stop', because: 'review', state: { ...state, outcome } }
  }
  if (outcome === 'accepted' || outcome === 'unknown') {
    // An accepted one was not yet shown to be the one that was asked for.
    return createAgain({ ...state, outcome: stronger(state.outcome, outcome) }, result, gaps, 'unanswered')
  }
  if (job === 'refused') {
    return { then: 'stop', because: state.outcome === 'not-accepted' ? 'refused' : 'review', state }
  }
  return createAgain(state, result, gaps, 'unavailable')
}

export function afterStatusRequest(state: PaymentJobState, result: StatusResult, gaps: Gaps): Decision {
  if (result.kind === 'found') {
    if (result.final) return { then: 'done', final: true }
    return hasEnded(state, gaps) ? { then: 'done', final: false } : follow(state, gaps)
  }
  const { from, job, passes } = errorCodes[result.code]
  // The id can be no payment's, so no later status request finds it.
  const isNoId = job === 'refused' && from === 'caller'
  if (isNoId || result.isOtherMoney) {
    return { then: 'stop', because: 'review', state }
  }
  // A 404 may come for a moment after the create, and proves nothing later (specification, section 7).
  if (result.code === 'not_found' && hasEnded(state, gaps)) return { then: 'stop', because: 'review', state }
  const because = passes === 'no' ? (waitsFor(job) ?? 'following') : 'following'
  const next = { ...state, tries: state.tries + 1 }
  const afterMs =
    because === 'following' ? pollGapMs(next.tries, gaps) : retryGapMs(because, next.tries, gaps.random)
  return { then: 'again', afterMs: asAsked(afterMs, result), because, state: next }
}

function hasEnded({ followedAt }: PaymentJobState, { followForMs, now }: Gaps): boolean {
  return followForMs !== undefined && followedAt !== undefined && now - followedAt >= followForMs
}

function follow(state: PaymentJobState, gaps: Gaps): Decision {
  const tries = state.step === 'follow' ? state.tries + 1 : 1
  const since = gaps.followForMs === undefined ? {} : { followedAt: state.followedAt ?? gaps.now }
  return {
    then: 'again',
    afterMs: pollGapMs(tries, gaps),
    because: 'following',
    state: { ...state, ...since, step: 'follow', outcome: 'accepted', tries },
  }
}

function createAgain(state: PaymentJobState, result: Failed, gaps: Gaps, otherwise: AgainReason): Decision {
  const because = waitsFor(errorCodes[result.code].job) ?? otherwise
  const next: PaymentJobState = { ...state, step: 'create', tries: state.tries + 1 }
  const afterMs = asAsked(retryGapMs(because, next.tries, gaps.random), result)
  return { then: 'again', afterMs, because, state: next }
}

/** What the next run waits for where the code is not about this payment. */
function waitsFor(job: ErrorCodeMeaning['job']): 'setup' | 'aborted' | undefined {
  return job === 'setup' || job === 'aborted' ? job : undefined
}

/** The gateway's own wish goes before ours, within an hour. */
function asAsked(afterMs: number, { retryAfterMs = 0 }: Failed): number {
  return Math.round(Math.max(afterMs, Math.min(retryAfterMs, 3_600_000)))
}

/** Twice as long each time, a fifth more or less, so that what began together spreads out. */
function doubling(firstMs: number, longestMs: number, tries: number, random: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(tries - 1, 40)) * (0.8 + 0.4 * random)
}

function pollGapMs(polls: number, { firstPollMs, longestPollMs, random }: Gaps): number {
  return Math.round(doubling(firstPollMs, Math.max(firstPollMs, longestPollMs), polls, random))
}

function retryGapMs(because: AgainReason, tries: number, random: number): number {
  if (because === 'aborted') return 0
  return because === 'setup' ? doubling(15_000, 300_000, tries, random) : doubling(500, 60_000, tries, random)
}

const strength: Readonly<Record<Outcome, number>> = { 'not-accepted': 0, unknown: 1, accepted: 2 }

/** What an earlier run has done, no later one undoes. */
export function stronger(before: Outcome, now: Outcome): Outcome {
  return strength[before] >= strength[now] ? before : now
}
