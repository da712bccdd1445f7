import { type Counts, dayMs } from './counts.js'
import { amountText, type Micros, microsOf } from './money.js'
import type { PayoutLimits, SignerHours, SignerPolicy } from './policy.js'
import { idOfOperation, type TokenRequest } from './token-request.js'

/** Which rule of the policy refused a request. */
export type SignerRule =
  /** The bytes are not a token request as the client writes it. */
  | 'unreadable'
  | 'merchant'
  | 'validity'
  /** The request's timestamp is not of now. */
  | 'timestamp'
  /** The signer's clock was turned back. */
  | 'clock'
  | 'payins'
  | 'operations'
  /** A token for a payout that is not limited to one id and its money. */
  | 'payout-limit'
  | 'currency'
  | 'hours'
  | 'most-in-one'
  | 'most-in-hour'
  | 'most-in-day'
  | 'count-in-hour'
  | 'ids'
  | 'approval'
  /** The decision could not be written down, so none was taken. */
  | 'log'
  /** A file that the policy names can't be used. */
  | 'file'
  /** More requests than a signer has to answer. */
  | 'busy'

/** What is asked for, as the log has it. */
export interface Asked {
  readonly asks?: 'payin' | 'payout' | 'operations'
  readonly id?: string
  readonly amount?: string
  readonly currencyCode?: string
}

/** What becomes of a request. */
export type Decision =
  | { readonly did: 'allowed'; readonly asked: Asked; readonly until?: number }
  | { readonly did: 'refused'; readonly asked: Asked; readonly rule: SignerRule; readonly why: string }

/** An approval: this id, with this money and no other, for a day. */
export interface Approval {
  readonly id: string
  readonly amount: Micros
  readonly currencyCode: string
  readonly at: number
}

/** All that a decision is made of, beside the request. */
export interface Facts {
  readonly policy: SignerPolicy
  readonly counts: Counts
  /** By the signer's clock. */
  readonly nowMs: number
  /** The list of ids, with `amount currency` where the list says it; absent where the policy names none. */
  readonly ids?: ReadonlyMap<string, string | undefined>
  readonly approvals: readonly Approval[]
}

/** How far a request's timestamp and the signer's clock may be apart, and by how much that clock may go back. */
export const skewMs = 60_000
const hourMs = 3_600_000

const options = 'POST /payins/!availablePaymentOptions'

/** What becomes of a request; undefined is one that can't be read. Pure: what it counts is counted by whoever asked. */
export function decide(request: TokenRequest | undefined, facts: Facts): Decision {
  if (request === undefined) {
    return refuse('unreadable', 'it is not a token request as the client writes it, byte for byte')
  }
  const { policy } = facts
  const { merchantCode, validitySecs, grant } = request
  const asked = askedOf(request, policy)
  const no = (rule: SignerRule, why: string) => refuse(rule, why, asked)
  if (merchantCode !== policy.merchantCode)
    return no('merchant', 'it is for another merchant than the policy')
  const { mostValiditySecs = 900 } = policy
  if (validitySecs > mostValiditySecs) {
    return no(
      'validity',
      `the token would live ${validitySecs} s, and the policy allows ${mostValiditySecs} s`,
    )
  }
  const wrongTime = whyNotNow(request, facts)
  if (wrongTime !== undefined) return no(...wrongTime)
  if (asked.asks === 'payout') return decidePayout(request, asked, facts)
  if ('action' in grant) {
    const isPayin = grant.action === 'PAYIN_CREATE' || grant.action === 'PAYIN_INFO'
    if (!isPayin) return no('operations', 'it is an action that the policy does not know')
    return policy.payins ? { did: 'allowed', asked } : no('payins', 'the policy allows no payins')
  }
  const wrong = grant.operations.find((one) => !isLetThrough(one, policy))
  if (wrong === undefined) return { did: 'allowed', asked }
  // Of a wildcard, what to do about it; nothing of the text, which is the asker's.
  if (wrong.startsWith('POST /payouts')) {
    return no(
      'payout-limit',
      "a token for payouts must be of one id and its money: give the client tokens: 'per-payment'",
    )
  }
  return no('operations', 'it holds an operation that the policy does not list')
}

function refuse(rule: SignerRule, why: string, asked: Asked = {}): Decision {
  return { did: 'refused', asked, rule, why }
}

const payoutPrefix = 'POST /payouts/'

function askedOf(
  { grant, money }: TokenRequest,
  { idsInOperations = 'percent-encoded' }: SignerPolicy,
): Asked {
  if ('action' in grant) return { asks: 'payin', id: grant.idPayment.slice(0, 255) }
  const [only = '', another] = grant.operations
  const id = another === undefined ? idOfOperation(only, payoutPrefix, idsInOperations) : undefined
  if (id === undefined || money === undefined) return { asks: 'operations' }
  const { amount, currencyCode } = money
  return { asks: 'payout', id, amount: amountText(amount), currencyCode }
}

function isLetThrough(
  operation: string,
  { payins, payouts, operations = [], idsInOperations }: SignerPolicy,
): boolean {
  const { length: currencies } = Object.keys(payouts)
  const isOne = (prefix: string) =>
    idOfOperation(operation, prefix, idsInOperations ?? 'percent-encoded') !== undefined
  if (operations.includes(operation)) return true
  if (payins && (operation === options || isOne('GET /payins/'))) return true
  return currencies > 0 && isOne('GET /payouts/')
}

function whyNotNow(
  { timestamp }: TokenRequest,
  { policy, counts, nowMs }: Facts,
): readonly [SignerRule, string] | undefined {
  if (nowMs < counts.lastAt - skewMs) {
    const last = new Date(counts.lastAt).toISOString()
    return [
      'clock',
      `the log has a decision of ${last}, which is still to come: set the signer's clock right`,
    ]
  }
  const signedMs = policy.timestampUnit === 'milliseconds' ? timestamp : timestamp * 1000
  // One of tomorrow could be kept until then.
  if (Math.abs(signedMs - nowMs) <= skewMs) return undefined
  return [
    'timestamp',
    `its timestamp is more than ${skewMs / 1000} s away from the signer's clock: set the clocks right`,
  ]
}

function decidePayout({ money, validitySecs }: TokenRequest, asked: Asked, facts: Facts): Decision {
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
