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
  const asked = request && askedOf(request, payout)
  try {
    if (request === undefined)
      throw new SignerRefusal(
        'unreadable',
        'it is not a token request as the client writes it, byte for byte',
      )
    checkToken(request, facts)
    if (payout === undefined) checkOther(request, facts.policy)
    else checkPayout(payout, facts)
    const until = payout && { until: lastMomentOf(request, facts) }
    return { entry: { did: 'allowed', ...asked, ...until } }
  } catch (refused) {
    if (!(refused instanceof SignerRefusal)) throw refused
    return { entry: { did: 'refused', ...asked, rule: refused.rule }, refused }
  }
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

/** @throws for the first rule that is broken ({@link SignerRefusal}). */
function checkToken(request: TokenRequest, { policy, counts, nowMs }: Facts): void {
  const { merchantCode, validitySecs, timestamp } = request
  const { mostValiditySecs = 900, timestampUnit } = policy
  if (merchantCode !== policy.merchantCode)
    throw new SignerRefusal('merchant', 'it is for another merchant than the policy')
  if (validitySecs > mostValiditySecs) {
    const why = `the token would live ${validitySecs} s, and the policy allows ${mostValiditySecs} s`
    throw new SignerRefusal('validity', why)
  }
  if (nowMs < counts.end.at - skewMs) {
    const last = new Date(counts.end.at).toISOString()
    const why = `the log has a decision of ${last}, which is still to come: set the clock of the signer right`
    throw new SignerRefusal('clock', why)
  }
  // A request of tomorrow could be kept until then.
  const signedMs = timestampUnit === 'milliseconds' ? timestamp : timestamp * 1000
  if (Math.abs(signedMs - nowMs) > skewMs) {
    const why = `its timestamp is more than ${skewMs / 1000} s away from the clock of the signer: set the clocks right`
    throw new SignerRefusal('timestamp', why)
  }
}

/** A token that is not limited to one payout and its money. */
function checkOther(request: TokenRequest, { payins, payouts, operations = [] }: SignerPolicy): void {
  if ('action' in request) {
    if (request.action !== 'PAYIN_CREATE' && request.action !== 'PAYIN_INFO')
      throw new SignerRefusal('operations', 'it is an action that the policy does not know')
    if (!payins) throw new SignerRefusal('payins', 'the policy allows no payins')
    return
  }
  const paysOut = Object.keys(payouts).length > 0
  const wrong = request.operations.find((one) => {
    if (operations.includes(one)) return false
    if (payins && one === 'POST /payins/!availablePaymentOptions') return false
    if (payins && idOfOperation(one, 'GET /payins/') !== undefined) return false
    return !paysOut || idOfOperation(one, 'GET /payouts/') === undefined
  })
  if (wrong?.startsWith('POST /payouts')) {
    const why = "a token for payouts must be of one id and its money: give the client tokens: 'per-payment'"
    throw new SignerRefusal('payout-limit', why)
  }
  // The text itself is the asker's, and is not shown.
  if (wrong !== undefined)
    throw new SignerRefusal('operations', 'it holds an operation that the policy does not list')
}

function checkPayout(payout: Payout, facts: Facts): void {
  const { policy, counts } = facts
  const { amount, currencyCode } = payout
  // A clock that goes back a little opens nothing that was closed.
  const nowMs = Math.max(facts.nowMs, counts.end.at)
  const limits = Object.hasOwn(policy.payouts, currencyCode) ? policy.payouts[currencyCode] : undefined
  if (limits === undefined)
    throw new SignerRefusal('currency', 'the policy allows no payouts in its currency')
  if (policy.hours !== undefined && !isWithin(policy.hours, nowMs)) {
    const { from, to, timeZone = 'UTC' } = policy.hours
    throw new SignerRefusal('hours', `the policy allows payouts from ${from} to ${to} (${timeZone})`)
  }
  checkLimits(payout, limits, counts, nowMs)
  const { approvalAbove } = limits
  if (approvalAbove === undefined || !isMore(amount, approvalAbove)) return
  if (isApproved(payout, facts, nowMs)) return
  const why = `a payout above ${moneyText(microsOf(approvalAbove) ?? 0n, currencyCode)} needs an approval`
  throw new SignerRefusal('approval', `${why}: "merchant-gateway-signer approve" gives it`)
}

/** The limits hold for a payout with all others that can still be made by tokens which were signed before. */
function checkLimits(payout: Payout, limits: PayoutLimits, counts: Counts, nowMs: number): void {
  const { amount, currencyCode } = payout
  const { mostInOne, mostInHour, mostInDay, countInHour } = limits
  const check = (rule: SignerRefusal['rule'], sum: Micros, limit: string, of: string) => {
    if (!isMore(sum, limit)) return
    throw new SignerRefusal(rule, `the policy allows ${moneyText(microsOf(limit) ?? 0n, currencyCode)} ${of}`)
  }
  check('most-in-one', amount, mostInOne, 'in one payout')
  const inHour = counts.payouts(currencyCode).sumWith(payout, nowMs - hourMs)
  const inDay = counts.payouts(currencyCode).sumWith(payout, nowMs - dayMs)
  if (inHour.count > countInHour) {
    const why = `the policy allows ${countInHour} payouts in ${currencyCode} in an hour`
    throw new SignerRefusal('count-in-hour', why)
  }
  check('most-in-day', inDay.sum, mostInDay, 'in a day')
  check('most-in-hour', inHour.sum, mostInHour, 'in an hour')
}

/** An approval is for one id with its money, and good for a day. */
function isApproved({ id, amount, currencyCode }: Payout, facts: Facts, nowMs: number): boolean {
  try {
    const approval = facts.approvalOf(id)
    const isSame = approval?.amount === amount && approval.currencyCode === currencyCode
    return isSame && approval.at <= nowMs + skewMs && approval.at >= nowMs - dayMs
  } catch (error) {
    throw new SignerRefusal('file', `the file of approvals can't be believed: ${whyOf(error)}`)
  }
}

function isMore(amount: Micros, limit: string): boolean {
  return amount > (microsOf(limit) ?? 0n)
}

/** One for each time zone: making one takes as long as the rest of a decision. */
const clocks = new Map<string, Intl.DateTimeFormat>()

type Hours = NonNullable<SignerPolicy['hours']>

function isWithin({ from, to, timeZone = 'UTC' }: Hours, nowMs: number): boolean {
  const time = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', time)
  clocks.set(timeZone, clock)
  const now = clock.format(nowMs)
  return from <= to ? from <= now && now < to : from <= now || now < to
}
