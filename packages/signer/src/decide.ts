import type { Approval } from './approvals.js'
import { type Counts, dayMs, type Entry, type Payout } from './counts.js'
import { amountText, type Micros, microsOf, moneyText } from './money.js'
import type { PayoutLimits, SignerPolicy } from './policy.js'
import { SignerRefusal } from './refusal.js'
import { whyOf } from './text.js'
import { idOfOperation, type TokenRequest } from './token-request.js'

/** What a decision is made of, beside the request. */
export interface Facts {
  readonly policy: SignerPolicy
  readonly counts: Counts
  /** By the clock of the signer. */
  readonly nowMs: number
  /** The last approval of an id. Throws where the file of approvals can't be believed. */
  readonly approvalOf: (id: string) => Approval | undefined
}

/** What becomes of a request: its line in the log, and why there is no signature, where there is none. */
export interface Decision {
  readonly entry: Entry
  readonly refused?: SignerRefusal
}

/** How far a request's timestamp and the signer's clock may be apart, and by how much that clock may go back. */
const skewMs = 60_000
const hourMs = 3_600_000

/** Decides on a request; undefined is one that can't be read. It counts nothing. */
export function decide(request: TokenRequest | undefined, facts: Facts): Decision {
  const payout = request && payoutOf(request)
  const asked = request === undefined ? {} : askedOf(request, payout)
  const refused = refusalOf(request, payout, facts)
  if (refused !== undefined) return { entry: { did: 'refused', ...asked, rule: refused.rule }, refused }
  const until = request && payout && { until: lastMomentOf(request, facts) }
  return { entry: { did: 'allowed', ...asked, ...until } }
}

/** The payout that a request is for: it names one id and its money, and nothing else. */
function payoutOf(request: TokenRequest): Payout | undefined {
  if (!('operations' in request) || request.money === undefined) return undefined
  const [only = '', another] = request.operations
  const id = another === undefined ? idOfOperation(only, 'POST /payouts/') : undefined
  const amount = microsOf(String(request.money.amount))
  if (id === undefined || amount === undefined) return undefined
  return { id, amount, currencyCode: request.money.currencyCode }
}

function askedOf(request: TokenRequest, payout: Payout | undefined): Omit<Entry, 'did'> {
  if (payout !== undefined) return { asks: 'payout', ...payout, amount: amountText(payout.amount) }
  return 'action' in request ? { asks: 'payin', id: request.idPayment } : { asks: 'operations' }
}

/** Until when money can move: a request can be held back and sent late, and its token lives from then on. */
function lastMomentOf({ validitySecs }: TokenRequest, { policy, counts, nowMs }: Facts): number {
  const { timestampToleranceSecs = 300 } = policy
  return Math.max(nowMs, counts.end.at) + skewMs + (timestampToleranceSecs + validitySecs) * 1000
}

/** By the first rule that a request breaks. */
type Refusal = SignerRefusal | undefined

function refusalOf(request: TokenRequest | undefined, payout: Payout | undefined, facts: Facts): Refusal {
  if (request === undefined)
    return new SignerRefusal('unreadable', 'it is not a token request as the client writes it, byte for byte')
  const ofToken = refusalOfToken(request, facts)
  if (ofToken !== undefined) return ofToken
  if (payout !== undefined) return refusalOfPayout(payout, facts)
  if ('operations' in request) return refusalOfOperations(request.operations, facts.policy)
  if (request.action !== 'PAYIN_CREATE' && request.action !== 'PAYIN_INFO')
    return new SignerRefusal('operations', 'it is an action that the policy does not know')
  return facts.policy.payins ? undefined : new SignerRefusal('payins', 'the policy allows no payins')
}

function refusalOfToken(request: TokenRequest, { policy, counts, nowMs }: Facts): Refusal {
  const { merchantCode, validitySecs, timestamp } = request
  const { mostValiditySecs = 900, timestampUnit } = policy
  if (merchantCode !== policy.merchantCode)
    return new SignerRefusal('merchant', 'it is for another merchant than the policy')
  if (validitySecs > mostValiditySecs) {
    const why = `the token would live ${validitySecs} s, and the policy allows ${mostValiditySecs} s`
    return new SignerRefusal('validity', why)
  }
  if (nowMs < counts.end.at - skewMs) {
    const last = new Date(counts.end.at).toISOString()
    const why = `the log has a decision of ${last}, which is still to come: set the clock of the signer right`
    return new SignerRefusal('clock', why)
  }
  // A request of tomorrow could be kept until then.
  const signedMs = timestampUnit === 'milliseconds' ? timestamp : timestamp * 1000
  if (Math.abs(signedMs - nowMs) <= skewMs) return undefined
  const why = `its timestamp is more than ${skewMs / 1000} s away from the clock of the signer: set the clocks right`
  return new SignerRefusal('timestamp', why)
}

/** For a token that is not limited to one payout and its money. */
function refusalOfOperations(asked: readonly string[], policy: SignerPolicy): Refusal {
  const { payins, payouts, operations = [] } = policy
  const paysOut = Object.keys(payouts).length > 0
  const wrong = asked.find((one) => {
    if (operations.includes(one)) return false
    if (payins && one === 'POST /payins/!availablePaymentOptions') return false
    if (payins && idOfOperation(one, 'GET /payins/') !== undefined) return false
    return !paysOut || idOfOperation(one, 'GET /payouts/') === undefined
  })
  if (wrong === undefined) return undefined
  if (wrong.startsWith('POST /payouts')) {
    const why = "a token for payouts must be of one id and its money: give the client tokens: 'per-payment'"
    return new SignerRefusal('payout-limit', why)
  }
  // The text itself is the asker's, and is not shown.
  return new SignerRefusal('operations', 'it holds an operation that the policy does not list')
}

function refusalOfPayout(payout: Payout, facts: Facts): Refusal {
  const { policy, counts } = facts
  const { amount, currencyCode } = payout
  // A clock that goes back a little opens nothing that was closed.
  const nowMs = Math.max(facts.nowMs, counts.end.at)
  const limits = Object.hasOwn(policy.payouts, currencyCode) ? policy.payouts[currencyCode] : undefined
  if (limits === undefined)
    return new SignerRefusal('currency', 'the policy allows no payouts in its currency')
  if (policy.hours !== undefined && !isWithin(policy.hours, nowMs)) {
    const { from, to, timeZone = 'UTC' } = policy.hours
    return new SignerRefusal('hours', `the policy allows payouts from ${from} to ${to} (${timeZone})`)
  }
  const ofLimits = refusalOfLimits(payout, limits, counts, nowMs)
  const { approvalAbove } = limits
  if (ofLimits !== undefined || approvalAbove === undefined || !isMore(amount, approvalAbove)) return ofLimits
  return refusalWithoutApproval(payout, approvalAbove, facts, nowMs)
}

/** The limits hold for a payout with all others that can still be made by tokens which were signed before. */
function refusalOfLimits(payout: Payout, limits: PayoutLimits, counts: Counts, nowMs: number): Refusal {
  const { amount, currencyCode } = payout
  const { mostInOne, mostInHour, mostInDay, countInHour } = limits
  const passed = (rule: SignerRefusal['rule'], limit: string, of: string) =>
    new SignerRefusal(rule, `the policy allows ${moneyText(microsOf(limit) ?? 0n, currencyCode)} ${of}`)
  if (isMore(amount, mostInOne)) return passed('most-in-one', mostInOne, 'in one payout')
  const inHour = counts.payouts(currencyCode).sumWith(payout, nowMs - hourMs)
  const inDay = counts.payouts(currencyCode).sumWith(payout, nowMs - dayMs)
  if (inHour.count > countInHour) {
    const why = `the policy allows ${countInHour} payouts in ${currencyCode} in an hour`
    return new SignerRefusal('count-in-hour', why)
  }
  if (isMore(inDay.sum, mostInDay)) return passed('most-in-day', mostInDay, 'in a day')
  return isMore(inHour.sum, mostInHour) ? passed('most-in-hour', mostInHour, 'in an hour') : undefined
}

/** An approval is for one id with its money, and good for a day. */
function refusalWithoutApproval(
  { id, amount, currencyCode }: Payout,
  above: string,
  facts: Facts,
  nowMs: number,
): Refusal {
  try {
    const approval = facts.approvalOf(id)
    const isSame = approval?.amount === amount && approval.currencyCode === currencyCode
    if (isSame && approval.at <= nowMs + skewMs && approval.at >= nowMs - dayMs) return undefined
  } catch (error) {
    return new SignerRefusal('file', whyOf(error))
  }
  const why = `a payout above ${moneyText(microsOf(above) ?? 0n, currencyCode)} needs an approval`
  return new SignerRefusal('approval', `${why}: "merchant-gateway-signer approve" gives it`)
}

function isMore(amount: Micros, limit: string): boolean {
  return amount > (microsOf(limit) ?? 0n)
}

/** One for each time zone: making one takes as long as the rest of a decision. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function isWithin(
  { from, to, timeZone = 'UTC' }: NonNullable<SignerPolicy['hours']>,
  nowMs: number,
): boolean {
  const time = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', time)
  clocks.set(timeZone, clock)
  const now = clock.format(nowMs)
  return from <= to ? from <= now && now < to : from <= now || now < to
}
