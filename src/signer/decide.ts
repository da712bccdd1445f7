import type { Entry } from './counts.js'
import { amountText, microsOf } from './money.js'
import type { Payout } from './payout-counts.js'
import { type Facts, skewMs, whyNoPayout } from './payout-rules.js'
import type { SignerPolicy } from './policy.js'
import { SignerRefusal } from './refusal.js'
import { idOfOperation, type TokenRequest } from './token-request.js'

/** What becomes of a request: what the log says of it, and why there is no signature, where there is none. */
export interface Decision {
  readonly entry: Entry
  readonly refused?: SignerRefusal
}

/** Decides on a request; undefined is one that can't be read. Pure: what it counts is counted by whoever asked. */
export function decide(request: TokenRequest | undefined, facts: Facts): Decision {
  if (request === undefined) {
    const why = 'it is not a token request as the client writes it, byte for byte'
    return refusalOf({}, new SignerRefusal('unreadable', why))
  }
  const { policy } = facts
  const payout = payoutOf(request, policy)
  const asked = askedOf(request, payout)
  const refused =
    whyNoToken(request, facts) ??
    (payout === undefined ? whyNotOthers(request, policy) : whyNoPayout(payout, facts))
  if (refused !== undefined) return refusalOf(asked, refused)
  if (payout === undefined) return { entry: { did: 'allowed', ...asked } }
  return { entry: { did: 'allowed', ...asked, until: lastMomentOf(request, facts) } }
}

function refusalOf(asked: Omit<Entry, 'did'>, refused: SignerRefusal): Decision {
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

/** What is wrong with a token of any kind. */
function whyNoToken(request: TokenRequest, { policy, counts, nowMs }: Facts): SignerRefusal | undefined {
  const { merchantCode, validitySecs, timestamp } = request
  if (merchantCode !== policy.merchantCode)
    return new SignerRefusal('merchant', 'it is for another merchant than the policy')
  const { mostValiditySecs = 900, timestampUnit } = policy
  if (validitySecs > mostValiditySecs) {
    const why = `the token would live ${validitySecs} s, and the policy allows ${mostValiditySecs} s`
    return new SignerRefusal('validity', why)
  }
  if (nowMs < counts.end.at - skewMs) {
    const last = new Date(counts.end.at).toISOString()
    const why = `the log has a decision of ${last}, which is still to come: set the signer's clock right`
    return new SignerRefusal('clock', why)
  }
  // One of tomorrow could be kept until then.
  const signedMs = timestampUnit === 'milliseconds' ? timestamp : timestamp * 1000
  if (Math.abs(signedMs - nowMs) <= skewMs) return undefined
  const why = `its timestamp is more than ${skewMs / 1000} s away from the signer's clock: set the clocks right`
  return new SignerRefusal('timestamp', why)
}

/** Why there is no token for anything but one payout. */
function whyNotOthers(request: TokenRequest, policy: SignerPolicy): SignerRefusal | undefined {
  if ('action' in request) {
    if (request.action !== 'PAYIN_CREATE' && request.action !== 'PAYIN_INFO')
      return new SignerRefusal('operations', 'it is an action that the policy does not know')
    return policy.payins ? undefined : new SignerRefusal('payins', 'the policy allows no payins')
  }
  const wrong = request.operations.find((operation) => !isLetThrough(operation, policy))
  if (wrong === undefined) return undefined
  // Nothing of its text, which is the asker's.
  if (!wrong.startsWith('POST /payouts'))
    return new SignerRefusal('operations', 'it holds an operation that the policy does not list')
  const why = "a token for payouts must be of one id and its money: give the client tokens: 'per-payment'"
  return new SignerRefusal('payout-limit', why)
}

function isLetThrough(
  operation: string,
  { payins, payouts, operations = [], idsInOperations }: SignerPolicy,
): boolean {
  const isOne = (prefix: string) => idOfOperation(operation, prefix, idsInOperations) !== undefined
  if (operations.includes(operation)) return true
  if (payins && (operation === 'POST /payins/!availablePaymentOptions' || isOne('GET /payins/'))) return true
  return Object.keys(payouts).length > 0 && isOne('GET /payouts/')
}

/** Until when money can move: a request can be held back and sent late, and its token lives from then on. */
function lastMomentOf({ validitySecs }: TokenRequest, { policy, counts, nowMs }: Facts): number {
  const { timestampToleranceSecs = 300 } = policy
  return Math.max(nowMs, counts.end.at) + skewMs + (timestampToleranceSecs + validitySecs) * 1000
}
