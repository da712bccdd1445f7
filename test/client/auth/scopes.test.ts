import { describe, expect, it } from 'vitest'
import { familyOperations, scopeRules } from '../../../src/client/auth/scopes.js'

const perFamily = scopeRules({ tokens: 'per-family', operations: familyOperations })
const perPayment = scopeRules({ tokens: 'per-payment', operations: familyOperations })

describe('one token for each family of endpoints', () => {
  it('serves every payin', () => {
    const { key, grant } = perFamily.payment('payin', 'a')
    expect(grant).toEqual({ operations: ['POST /payins/.*', 'GET /payins/.*'] })
    expect(perFamily.payment('payin', 'b').key).toBe(key)
    expect(perFamily.paymentOptions().key).toBe(key)
  })

  it('keeps payouts apart from payins', () => {
    const { key, grant } = perFamily.payment('payout', 'a')
    expect(grant).toEqual({ operations: ['POST /payouts/.*', 'GET /payouts/.*'] })
    expect(key).not.toBe(perFamily.payment('payin', 'a').key)
  })

  it('serves account data with just the four readers', () => {
    expect(perFamily.family('account').grant).toEqual({
      operations: ['GET /merchant-info', 'GET /balances', 'GET /currencies', 'GET /payment-operators'],
    })
  })

  it('serves customer account data under /payins with the token of payins', () => {
    const scope = perFamily.customerAccount('/payins/{idPayin}/account', 'a')
    expect(scope).toEqual(perFamily.payment('payin', 'a'))
  })

  it('mints its own token for customer account data elsewhere, for every payin', () => {
    const scope = perFamily.customerAccount('/customers/{idPayin}', 'a')
    expect(scope.grant).toEqual({ operations: ['GET /customers/.*'] })
    expect(perFamily.customerAccount('/customers/{idPayin}', 'b').key).toBe(scope.key)
  })

  it('asks for the operations that the option names', () => {
    const operations = { ...familyOperations, payouts: ['POST /payouts/.*'] }
    const rules = scopeRules({ tokens: 'per-family', operations })
    expect(rules.payment('payout', 'a').grant).toEqual({ operations: ['POST /payouts/.*'] })
  })
})

describe('one token for each payment', () => {
  it('limits a payin’s by action, as the specification has it', () => {
    expect(perPayment.payment('payin', 'a').grant).toEqual({ action: 'PAYIN_CREATE', idPayment: 'a' })
    expect(perPayment.payment('payin', 'b').key).not.toBe(perPayment.payment('payin', 'a').key)
  })

  it('limits a payout’s by operations, since no action is named for payouts, and its create to the money', () => {
    expect(perPayment.payment('payout', 'a.b').grant).toEqual({ operations: ['GET /payouts/a\\.b'] })
    const money = { amount: 10.5, currencyCode: 'EUR' }
    const create = perPayment.payment('payout', 'a.b', money)
    expect(create.grant).toEqual({ operations: ['POST /payouts/a\\.b'], money })
    expect(perPayment.payment('payout', 'a.b', { ...money, amount: 11 }).key).not.toBe(create.key)
  })

  it('limits the other calls to their one endpoint', () => {
    expect(perPayment.paymentOptions().grant).toEqual({
      operations: ['POST /payins/!availablePaymentOptions'],
    })
    expect(perPayment.customerAccount('/payins/{idPayin}/account', 'a.b').grant).toEqual({
      operations: ['GET /payins/a\\.b/account'],
    })
  })
})

describe.each([
  ['per-family', perFamily],
  ['per-payment', perPayment],
] as const)('tokens %s', (_name, rules) => {
  it('takes the path of customer account data as a path and not as a pattern', () => {
    const { grant } = rules.customerAccount('/v2.1/{idPayin}', 'a')
    if (!('operations' in grant)) throw new Error('by operations')
    const [entry = ''] = grant.operations
    const pattern = new RegExp(`^${entry}$`)
    expect(pattern.test('GET /v2.1/a')).toBe(true)
    expect(pattern.test('GET /v2x1/a')).toBe(false)
  })

  it('gives a request of your own a token for its operations', () => {
    expect(rules.operations(['GET /reports/.*']).grant).toEqual({ operations: ['GET /reports/.*'] })
    expect(rules.operations(['GET /a']).key).not.toBe(rules.operations(['GET /b']).key)
  })
})
