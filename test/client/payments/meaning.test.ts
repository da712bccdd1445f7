import { describe, expect, it } from 'vitest'
import {
  meaningAfter409,
  meaningOfCreate,
  meaningOfLookup,
  meaningOfRead,
  meaningOfRequest,
} from '../../../src/client/payments/meaning.js'

describe('what the failure of a create means for the money', () => {
  it.each([
    ['none', true, 'not-accepted', 'this call created no payin; to try again, use the same id'],
    ['none', false, 'not-accepted', 'no payin was created; to try again, use the same id'],
    [
      'possible',
      true,
      'unknown',
      'the payin may or may not exist, so never create it under another id; call again with the same id',
    ],
    [
      'certain',
      true,
      'accepted',
      'the gateway has a payin under this id, so never create it under another one; call again with the same id to get it',
    ],
  ] as const)('evidence %s, id given: %s', (evidence, givenId, outcome, sentence) => {
    const meaning = meaningOfCreate('payin', 'order-1', givenId, evidence)
    expect(meaning).toEqual({ details: { idPayin: 'order-1', outcome }, sentence })
  })

  it('of the look-up after a 409 it says what the 409 has proved', () => {
    expect(meaningAfter409('payout', 'order-1', 'certain')).toEqual({
      details: { idPayout: 'order-1', outcome: 'accepted' },
      sentence:
        'the create was answered 409 before: the gateway has a payout under this id, so never create it under another one; call again with the same id to get it',
    })
  })

  it('a payout is called a payout', () => {
    const { details, sentence } = meaningOfCreate('payout', 'order-1', true, 'possible')
    expect(details).toEqual({ idPayout: 'order-1', outcome: 'unknown' })
    expect(sentence).toMatch(/^the payout may or may not exist/)
  })
})

describe('what the failure of another call means', () => {
  it('a read proves nothing about the payment, and carries its id', () => {
    const { details, sentence } = meaningOfRead('payout', 'order-1')
    expect(details).toEqual({ idPayout: 'order-1' })
    expect(sentence).toContain('says nothing about whether the payout exists')
  })

  it('a look-up touches no payment', () => {
    expect(meaningOfLookup()).toEqual({
      details: {},
      sentence: 'no payment was touched, and it is safe to ask again',
    })
  })

  it.each([
    ['GET', 'possible', 'safe to ask again'],
    ['POST', 'none', 'did not process it'],
    ['POST', 'possible', 'may have processed it'],
    ['DELETE', 'certain', 'has processed it'],
  ] as const)('a request of your own, %s with evidence %s: %s', (method, evidence, words) => {
    expect(meaningOfRequest(method, evidence).sentence).toContain(words)
  })
})
