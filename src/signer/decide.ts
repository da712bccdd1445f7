import { decidePayout } from './decide-payout.js'
import { type Asked, type Decision, type Facts, refuse, type SignerRule, skewMs } from './decision.js'
import { amountText } from './money.js'
import type { SignerPolicy } from './policy.js'
import { idOfOperation, type TokenRequest } from './token-request.js'

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
