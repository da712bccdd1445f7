import { type Counts, dayMs } from './counts.js'
import {
  type Approval,
  type Asked,
  type Decision,
  type Facts,
  refuse,
  type SignerRule,
  skewMs,
} from './decision.js'
import { amountText, type Micros, microsOf } from './money.js'
import type { PayoutLimits, SignerHours } from './policy.js'
import type { TokenRequest } from './token-request.js'

const hourMs = 3_600_000

/** What becomes of a request for a token of one payout and its money. */
export function decidePayout({ money, validitySecs }: TokenRequest, asked: Asked, facts: Facts): Decision {
  const { policy, counts } = facts
  const { id = '' } = asked
  const no = (rule: SignerRule, why: string) => refuse(rule, why, asked)
  const nowMs = Math.max(facts.nowMs, counts.lastAt)
  const { amount, currencyCode } = money ?? { amount: 0n, currencyCode: '' }
  const limits = Object.hasOwn(policy.payouts, currencyCode) ? policy.payouts[currencyCode] : undefined
  if (limits === undefined) return no('currency', 'the policy allows no payouts in its currency')
  if (policy.hours !== undefined && !isWithin(policy.hours, nowMs)) {
    const { from, to, timeZone = 'UTC' } = policy.hours
    return no('hours', `the policy allows payouts from ${from} to ${to} (${timeZone})`)
  }
  const known = facts.ids?.get(id)
  const wanted = `${amountText(amount)} ${currencyCode}`
  if (facts.ids !== undefined && !facts.ids.has(id))
    return no('ids', "the ledger's list does not know its id")
  if (known !== undefined && known !== wanted)
    return no('ids', "the ledger's list has its id with other money")
  const passed = whyPassed(limits, { id, amount, currencyCode }, counts, nowMs)
  if (passed !== undefined) return no(...passed)
  if (
    isMore(amount, limits.approvalAbove) &&
    !isApproved(facts.approvals, { id, amount, currencyCode }, nowMs)
  ) {
    return no(
      'approval',
      `a payout above ${limits.approvalAbove} ${currencyCode} needs an approval: "merchant-gateway signer approve" gives it`,
    )
  }
  // A request can be held back and sent late, and what comes of it lives from then on.
  const { timestampToleranceSecs = 300 } = policy
  const until = nowMs + skewMs + (timestampToleranceSecs + validitySecs) * 1000
  return { did: 'allowed', asked, until }
}

interface Wanted {
  readonly id: string
  readonly amount: Micros
  readonly currencyCode: string
}

function whyPassed(
  { mostInOne, mostInHour, mostInDay, countInHour }: PayoutLimits,
  { id, amount, currencyCode }: Wanted,
  counts: Counts,
  nowMs: number,
): readonly [SignerRule, string] | undefined {
  const before = counts.of(currencyCode, id)
  const most = before !== undefined && before.amount > amount ? before.amount : amount
  if (isMore(amount, mostInOne)) {
    return ['most-in-one', `the policy allows ${mostInOne} ${currencyCode} in one payout`]
  }
  let [hour, day, count] = [most, most, 1]
  for (const spent of counts.spent(currencyCode)) {
    if (spent.id === id) continue
    if (spent.until >= nowMs - dayMs) day += spent.amount
    if (spent.until < nowMs - hourMs) continue
    hour += spent.amount
    count += 1
  }
  if (count > countInHour)
    return ['count-in-hour', `the policy allows ${countInHour} payouts in ${currencyCode} in an hour`]
  if (isMore(day, mostInDay))
    return ['most-in-day', `the policy allows ${mostInDay} ${currencyCode} in a day`]
  if (isMore(hour, mostInHour))
    return ['most-in-hour', `the policy allows ${mostInHour} ${currencyCode} in an hour`]
  return undefined
}

/** Whether an amount is above a limit of the policy; above none where the policy has none. */
function isMore(amount: Micros, limit: string | undefined): boolean {
  return limit !== undefined && amount > (microsOf(limit) ?? 0n)
}

function isApproved(
  approvals: readonly Approval[],
  { id, amount, currencyCode }: Wanted,
  nowMs: number,
): boolean {
  return approvals.some(
    (one) =>
      one.id === id &&
      one.amount === amount &&
      one.currencyCode === currencyCode &&
      one.at <= nowMs + skewMs &&
      one.at >= nowMs - dayMs,
  )
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
