import type { Counts, Entry } from './counts.js'
import { amountText, type Micros, microsOf, moneyText } from './money.js'
import { dayMs, type Payout } from './payout-counts.js'
import type { ListedPayouts } from './payout-list.js'
import type { SignerHours, SignerPolicy } from './policy.js'
import { SignerRefusal } from './refusal.js'
import { idOfOperation, type TokenRequest } from './token-request.js'

/** All that a decision is made of, beside the request. */
export interface Facts {
  readonly policy: SignerPolicy
  readonly counts: Counts
  /** By the signer's clock. */
  readonly nowMs: number
  /** The payouts that the ledger knows; absent where the policy names no list. */
  readonly ids?: ListedPayouts | undefined
  /** Those that were approved, and when. */
  readonly approvals?: ListedPayouts | undefined
  /** Why one of these files can't be believed, where it can't. */
  readonly unbelieved?: string
}

/** What becomes of a request: what the log says of it, and why there is no signature, where there is none. */
export interface Decision {
  readonly entry: Entry
  readonly refused?: SignerRefusal
}

/** How far a request's timestamp and the signer's clock may be apart, and by how much that clock may go back. */
const skewMs = 60_000
const hourMs = 3_600_000

/** Decides on a request; undefined is one that can't be read. Pure: what it counts is counted by whoever asked. */
export function decide(request: TokenRequest | undefined, facts: Facts): Decision {
  if (request === undefined) {
    const why = 'it is not a token request as the client writes it, byte for byte'
    return refusal({}, new SignerRefusal('unreadable', why))
  }
  const payout = payoutOf(request, facts.policy)
  const asked = askedOf(request, payout)
  const [first] = broken(request, payout, facts)
  if (first !== undefined) return refusal(asked, first)
  if (payout === undefined) return { entry: { did: 'allowed', ...asked } }
  return { entry: { did: 'allowed', ...asked, until: lastMomentOf(request, facts) } }
}

function refusal(asked: Omit<Entry, 'did'>, refused: SignerRefusal): Decision {
  return { entry: { did: 'refused', ...asked, rule: refused.rule }, refused }
}

/** The payout that a request is for: it names one id and its money, and nothing else. */
function payoutOf(request: TokenRequest, { idsInOperations }: SignerPolicy): Payout | undefined {
  if (!('operations' in request) || request.money === undefined) return undefined
  const [only = '', another] = request.operations
  const id = another === undefined ? idOfOperation(only, 'POST /payouts/', idsInOperations) : undefined
  const { amount, currencyCode } = request.money
  const micros = microsOf(String(amount))
  return id === undefined || micros === undefined ? undefined : { id, amount: micros, currencyCode }
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

/** The rules that a request breaks, one after the other: the first one refuses it, and no other is looked at. */
type Broken = Generator<SignerRefusal, void>

function* broken(request: TokenRequest, payout: Payout | undefined, facts: Facts): Broken {
  yield* brokenByToken(request, facts)
  if (payout !== undefined) yield* brokenByPayout(payout, facts)
  else if ('operations' in request) yield* brokenByOperations(request.operations, facts.policy)
  else if (request.action !== 'PAYIN_CREATE' && request.action !== 'PAYIN_INFO')
    yield new SignerRefusal('operations', 'it is an action that the policy does not know')
  else if (!facts.policy.payins) yield new SignerRefusal('payins', 'the policy allows no payins')
}

function* brokenByToken(request: TokenRequest, { policy, counts, nowMs }: Facts): Broken {
  const { merchantCode, validitySecs, timestamp } = request
  const { mostValiditySecs = 900, timestampUnit } = policy
  if (merchantCode !== policy.merchantCode)
    yield new SignerRefusal('merchant', 'it is for another merchant than the policy')
  if (validitySecs > mostValiditySecs) {
    const why = `the token would live ${validitySecs} s, and the policy allows ${mostValiditySecs} s`
    yield new SignerRefusal('validity', why)
  }
  if (nowMs < counts.end.at - skewMs) {
    const last = new Date(counts.end.at).toISOString()
    const why = `the log has a decision of ${last}, which is still to come: set the signer's clock right`
    yield new SignerRefusal('clock', why)
  }
  // One of tomorrow could be kept until then.
  const signedMs = timestampUnit === 'milliseconds' ? timestamp : timestamp * 1000
  if (Math.abs(signedMs - nowMs) <= skewMs) return
  const why = `its timestamp is more than ${skewMs / 1000} s away from the signer's clock: set the clocks right`
  yield new SignerRefusal('timestamp', why)
}

/** Of a token that is not of one payout and its money. */
function* brokenByOperations(asked: readonly string[], policy: SignerPolicy): Broken {
  const { payins, payouts, operations = [], idsInOperations } = policy
  const isOne = (operation: string, prefix: string) =>
    idOfOperation(operation, prefix, idsInOperations) !== undefined
  const wrong = asked.find((operation) => {
    if (operations.includes(operation)) return false
    if (payins && operation === 'POST /payins/!availablePaymentOptions') return false
    if (payins && isOne(operation, 'GET /payins/')) return false
    return Object.keys(payouts).length === 0 || !isOne(operation, 'GET /payouts/')
  })
  if (wrong?.startsWith('POST /payouts')) {
    const why = "a token for payouts must be of one id and its money: give the client tokens: 'per-payment'"
    yield new SignerRefusal('payout-limit', why)
  }
  // Nothing of its text, which is the asker's.
  if (wrong !== undefined)
    yield new SignerRefusal('operations', 'it holds an operation that the policy does not list')
}

function* brokenByPayout(payout: Payout, facts: Facts): Broken {
  const { policy, counts, ids, approvals, unbelieved } = facts
  const { id, amount, currencyCode } = payout
  // A clock that goes back a little opens nothing that was closed.
  const nowMs = Math.max(facts.nowMs, counts.end.at)
  const limits = Object.hasOwn(policy.payouts, currencyCode) ? policy.payouts[currencyCode] : undefined
  if (limits === undefined)
    return yield new SignerRefusal('currency', 'the policy allows no payouts in its currency')
  if (policy.hours !== undefined && !isWithin(policy.hours, nowMs)) {
    const { from, to, timeZone = 'UTC' } = policy.hours
    yield new SignerRefusal('hours', `the policy allows payouts from ${from} to ${to} (${timeZone})`)
  }
  if (unbelieved !== undefined) yield new SignerRefusal('file', unbelieved)
  const money = moneyText(amount, currencyCode)
  const known = ids?.get(id)
  if (ids !== undefined && known === undefined)
    yield new SignerRefusal('ids', "the ledger's list does not know its id")
  if ((known?.money ?? money) !== money)
    yield new SignerRefusal('ids', "the ledger's list has its id with other money")
  const { mostInOne, mostInHour, mostInDay, countInHour, approvalAbove } = limits
  if (isMore(amount, mostInOne)) yield passed('most-in-one', `${mostInOne} ${currencyCode} in one payout`)
  // With all that can still be paid out by tokens that were signed before.
  const inHour = counts.payouts(currencyCode).sumWith(payout, nowMs - hourMs)
  const inDay = counts.payouts(currencyCode).sumWith(payout, nowMs - dayMs)
  if (inHour.count > countInHour)
    yield passed('count-in-hour', `${countInHour} payouts in ${currencyCode} in an hour`)
  if (isMore(inDay.sum, mostInDay)) yield passed('most-in-day', `${mostInDay} ${currencyCode} in a day`)
  if (isMore(inHour.sum, mostInHour)) yield passed('most-in-hour', `${mostInHour} ${currencyCode} in an hour`)
  if (approvalAbove === undefined || !isMore(amount, approvalAbove)) return
  const approved = approvals?.get(id)
  if (approved?.money === money && approved.at <= nowMs + skewMs && approved.at >= nowMs - dayMs) return
  yield new SignerRefusal(
    'approval',
    `a payout above ${approvalAbove} ${currencyCode} needs an approval: "merchant-gateway signer approve" gives it`,
  )
}

function passed(limit: SignerRefusal['rule'], allowed: string): SignerRefusal {
  return new SignerRefusal(limit, `the policy allows ${allowed}`)
}

function isMore(amount: Micros, limit: string): boolean {
  return amount > (microsOf(limit) ?? 0n)
}

/** Of each time zone: making one takes as long as all else that is decided. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function isWithin({ from, to, timeZone = 'UTC' }: SignerHours, nowMs: number): boolean {
  const time = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', time)
  clocks.set(timeZone, clock)
  const now = clock.format(nowMs)
  return from <= to ? from <= now && now < to : from <= now || now < to
}
