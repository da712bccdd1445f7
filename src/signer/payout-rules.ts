import type { Counts } from './counts.js'
import { type Micros, microsOf, moneyText } from './money.js'
import { dayMs, type Payout } from './payout-counts.js'
import type { ListedPayouts } from './payout-list.js'
import type { PayoutLimits, SignerHours, SignerPolicy } from './policy.js'
import { SignerRefusal, type SignerRule } from './refusal.js'

/** What other users have written about payouts. */
export interface Lists {
  /** Those that the ledger knows; absent where the policy names no list. */
  readonly ids?: ListedPayouts | undefined
  /** Those that were approved, and when. */
  readonly approvals?: ListedPayouts | undefined
  /** Why one of the files can't be believed, where it can't. */
  readonly unbelieved?: string
}

/** All that a decision is made of, beside the request. */
export interface Facts {
  readonly policy: SignerPolicy
  readonly counts: Counts
  /** By the signer's clock. */
  readonly nowMs: number
  readonly lists: Lists
}

/** How far a request's timestamp and the signer's clock may be apart, and by how much that clock may go back. */
export const skewMs = 60_000
const hourMs = 3_600_000

/** Why a payout gets no token; undefined where the policy allows it. */
export function whyNoPayout(payout: Payout, facts: Facts): SignerRefusal | undefined {
  const { policy, counts, lists } = facts
  const { id, amount, currencyCode } = payout
  // A clock that goes back a little opens nothing that was closed.
  const nowMs = Math.max(facts.nowMs, counts.end.at)
  const limits = Object.hasOwn(policy.payouts, currencyCode) ? policy.payouts[currencyCode] : undefined
  if (limits === undefined)
    return new SignerRefusal('currency', 'the policy allows no payouts in its currency')
  if (policy.hours !== undefined && !isWithin(policy.hours, nowMs)) {
    const { from, to, timeZone = 'UTC' } = policy.hours
    return new SignerRefusal('hours', `the policy allows payouts from ${from} to ${to} (${timeZone})`)
  }
  if (lists.unbelieved !== undefined) return new SignerRefusal('file', lists.unbelieved)
  const money = moneyText(amount, currencyCode)
  if (lists.ids !== undefined) {
    const known = lists.ids.get(id)
    if (known === undefined) return new SignerRefusal('ids', "the ledger's list does not know its id")
    if ((known.money ?? money) !== money)
      return new SignerRefusal('ids', "the ledger's list has its id with other money")
  }
  const passed = whyLimitPassed(payout, limits, counts, nowMs)
  if (passed !== undefined) return passed
  const { approvalAbove } = limits
  if (approvalAbove === undefined || !isMore(amount, approvalAbove)) return undefined
  const approved = lists.approvals?.get(id)
  if (approved?.money === money && approved.at <= nowMs + skewMs && approved.at >= nowMs - dayMs)
    return undefined
  return new SignerRefusal(
    'approval',
    `a payout above ${approvalAbove} ${currencyCode} needs an approval: "merchant-gateway signer approve" gives it`,
  )
}

/** Which limit would be passed, with all that can still be paid out by tokens that were signed before. */
function whyLimitPassed(
  payout: Payout,
  { mostInOne, mostInHour, mostInDay, countInHour }: PayoutLimits,
  counts: Counts,
  nowMs: number,
): SignerRefusal | undefined {
  const { amount, currencyCode } = payout
  const payouts = counts.payouts(currencyCode)
  const hour = payouts.sumWith(payout, nowMs - hourMs)
  const day = payouts.sumWith(payout, nowMs - dayMs)
  const passes: readonly (readonly [SignerRule, boolean, string])[] = [
    ['most-in-one', isMore(amount, mostInOne), `${mostInOne} ${currencyCode} in one payout`],
    ['count-in-hour', hour.count > countInHour, `${countInHour} payouts in ${currencyCode} in an hour`],
    ['most-in-day', isMore(day.sum, mostInDay), `${mostInDay} ${currencyCode} in a day`],
    ['most-in-hour', isMore(hour.sum, mostInHour), `${mostInHour} ${currencyCode} in an hour`],
  ]
  const [rule, , allowed] = passes.find(([, isPassed]) => isPassed) ?? []
  return rule === undefined ? undefined : new SignerRefusal(rule, `the policy allows ${allowed}`)
}

function isMore(amount: Micros, limit: string): boolean {
  return amount > (microsOf(limit) ?? 0n)
}

/** Of each time zone: making one takes as long as all else that is decided. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  clocks.set(timeZone, made)
  return made
}

function isWithin({ from, to, timeZone = 'UTC' }: SignerHours, nowMs: number): boolean {
  const now = clockOf(timeZone).format(nowMs)
  return from <= to ? from <= now && now < to : from <= now || now < to
}
