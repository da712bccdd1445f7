import { describe, expect, it } from 'vitest'
import { meaningOf } from '../../../src/client/http/meaning.js'

const ofPayin = { kind: 'create', payment: 'payin', id: 'order-1' } as const
const ofPayout = { ...ofPayin, payment: 'payout', isGiven: true } as const

describe('what the failure of a create means for the money', () => {
  it.each([
    ['not-accepted', true, 'this call created no payin; to try again, use the same id'],
    ['not-accepted', false, 'no payin was created; to try again, use the same id'],
    [
      'unknown',
      true,
      'the payin may or may not exist, so never create it under another id; call again with the same id',
    ],
    [
      'accepted',
      true,
      'the gateway has a payin under this id, so never create it under another one; call again with the same id to get it',
    ],
  ] as const)('outcome %s, id given: %s', (outcome, isGiven, sentence) => {
    const meaning = meaningOf({ ...ofPayin, isGiven }, outcome)
    expect(meaning).toEqual({ details: { idPayin: 'order-1', outcome }, sentence })
  })

  it('of the look-up after a 409 it says what the 409 has proved', () => {
    expect(meaningOf({ ...ofPayout, before: 'the create was answered 409 before' }, 'accepted')).toEqual({
      details: { idPayout: 'order-1', outcome: 'accepted' },
      sentence:
        'the create was answered 409 before: the gateway has a payout under this id, so never create it under another one; call again with the same id to get it',
    })
  })

  it('a payout is called a payout', () => {
    const { details, sentence } = meaningOf(ofPayout, 'unknown')
    expect(details).toEqual({ idPayout: 'order-1', outcome: 'unknown' })
    expect(sentence).toMatch(/^the payout may or may not exist/)
  })
})

describe('what the failure of another call means', () => {
  it('a read proves nothing about the payment, and carries its id', () => {
    const { details, sentence } = meaningOf({ kind: 'read', payment: 'payout', id: 'order-1' }, 'unknown')
    expect(details).toEqual({ idPayout: 'order-1' })
    expect(sentence).toContain('says nothing about whether the payout exists')
  })

  it('a look-up touches no payment', () => {
    expect(meaningOf({ kind: 'account' }, 'unknown')).toEqual({
      details: {},
      sentence: 'no payment was touched, and it is safe to ask again',
    })
  })

  it.each([
    ['GET', 'unknown', 'safe to ask again'],
    ['POST', 'not-accepted', 'did not process it'],
    ['POST', 'unknown', 'may have processed it'],
    ['DELETE', 'accepted', 'has processed it'],
  ] as const)('a request of your own, %s with outcome %s: %s', (method, outcome, words) => {
    expect(meaningOf({ kind: 'request', method }, outcome).sentence).toContain(words)
  })
})
