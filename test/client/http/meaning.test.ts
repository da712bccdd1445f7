import { describe, expect, it } from 'vitest'
import { meaningOf } from '../../../src/client/http/meaning.js'

describe('what the failure of another call means', () => {
  it('a read proves nothing about the payment, and carries its id', () => {
    const { details, money } = meaningOf({ kind: 'read', payment: 'payout', id: 'order-1' }, 'unknown')
    expect(details).toEqual({ idPayout: 'order-1' })
    expect(money).toContain('says nothing about whether the payout exists')
  })

  it('a lookup touches no payment', () => {
    expect(meaningOf({ kind: 'account' }, 'unknown')).toEqual({
      details: {},
      money: 'no payment was touched, and it is safe to ask again',
    })
  })

  it.each([
    ['GET', 'unknown', 'safe to ask again'],
    ['POST', 'not-accepted', 'did not process it'],
    ['POST', 'unknown', 'may have processed it'],
    ['DELETE', 'accepted', 'has processed it'],
  ] as const)('a request of your own, %s with outcome %s: %s', (method, outcome, words) => {
    expect(meaningOf({ kind: 'request', method, path: '/reports' }, outcome).money).toContain(words)
  })
})
