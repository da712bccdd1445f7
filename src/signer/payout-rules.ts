import { type Counts, dayMs } from './counts.js'
import type { Known } from './known-payouts.js'
import { type Micros, microsOf, moneyText } from './money.js'
import type { PayoutLimits, SignerHours, SignerPolicy } from './policy.js'
import { refuse, type SignerRefusal } from './refusal.js'

/** All that a decision is made of, beside the request. */
export interface Facts {
  readonly policy: SignerPolicy
  readonly counts: Counts
  /** By the signer's clock. */
  readonly nowMs: number
  /** Or why the files that say it can't be believed. */
  readonly known: Known | Error
}

/** One payout, for which a token is asked. */
export interface Payout {
  readonly id: string
  readonly amount: Micros
  readonly currencyCode: string
}

/** How far a request's timestamp and the signer's clock may be apart, and by how much that clock may go back. */
export const skewMs = 60_000
const hourMs = 3_600_000

/** Why a payout gets no token; undefined where the policy allows it. */
export function whyNoPayout(payout: Payout, facts: Facts): SignerRefusal | undefined {
  const { policy, counts, known } = facts
  const { id, amount, currencyCode } = payout
  // A clock that goes back a little opens nothing that was closed.
  const nowMs = Math.max(facts.nowMs, counts.lastAt)
  const limits = Object.hasOwn(policy.payouts, currencyCode) ? policy.payouts[currencyCode] : undefined
  if (limits === undefined) return refuse('currency', 'the policy allows no payouts in its currency')
  if (policy.hours !== undefined && !isWithin(policy.hours, nowMs)) {
    const { from, to, timeZone = 'UTC' } = policy.hours
    return refuse('hours', `the policy allows payouts from ${from} to ${to} (${timeZone})`)
  }
  if (known instanceof Error) return refuse('file', known.message)
  const money = moneyText(amount, currencyCode)
  if (known.ids !== undefined) {
    if (!known.ids.has(id)) return refuse('ids', "the ledger's list does not know its id")
    if ((known.ids.get(id) ?? money) !== money)
      return refuse('ids', "the ledger's list has its id with other money")
  }
  const passed = whyLimitPassed(payout, limits, counts, nowMs)
  if (passed !== undefined) return passed
  const { approvalAbove } = limits
  if (approvalAbove === undefined || !isMore(amount, approvalAbove)) return undefined
  const isApproved = known.approvals.some(
    (one) => one.id === id && one.money === money && one.at <= nowMs + skewMs && one.at >= nowMs - dayMs,
  )
  if (isApproved) return undefined
  return refuse(
    'approval',
    `a payout above ${approvalAbove} ${currencyCode} needs an approval: "merchant-gateway signer approve" gives it`,
  )
}

/** Which limit would be passed, with all that can still be paid out by tokens that were signed before. */
function whyLimitPassed(
  { id, amount, currencyCode }: Payout,
  { mostInOne, mostInHour, mostInDay, countInHour }: PayoutLimits,
  counts: Counts,
  nowMs: number,
): SignerRefusal | undefined {
  const allows = (what: string) => `the policy allows ${what}`
  if (isMore(amount, mostInOne))
    return refuse('most-in-one', allows(`${mostInOne} ${currencyCode} in one payout`))
  const before = counts.of(currencyCode, id)?.amount ?? 0n
  const most = before > amount ? before : amount
  let [hour, day, count] = [most, most, 1]
  for (const signed of counts.signed(currencyCode)) {
    if (signed.id === id) continue
    if (signed.until >= nowMs - dayMs) day += signed.amount
    if (signed.until < nowMs - hourMs) continue
    hour += signed.amount
    count += 1
  }
  if (count > countInHour)
    return refuse('count-in-hour', allows(`${countInHour} payouts in ${currencyCode} in an hour`))
  if (isMore(day, mostInDay)) return refuse('most-in-day', allows(`${mostInDay} ${currencyCode} in a day`))
  if (isMore(hour, mostInHour))
    return refuse('most-in-hour', allows(`${mostInHour} ${currencyCode} in an hour`))
  return undefined
}

function isMore(amount: Micros, limit: string): boolean {
  return amount > (microsOf(limit) ?? 0n)
}

function isWithin({ from, to, timeZone = 'UTC' }: SignerHours, nowMs: number): boolean {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const now = clock.format(nowMs)
  return from <= to ? from <= now && now < to : from <= now || now < to
}
