import { describe, expect, test } from 'vitest'
import { callbackTone, requestTone } from '../../../src/page/ui/parts/tones.js'
import { callback, request } from '../../entries.js'

describe('the tone of a request', () => {
  test.each([
    ['good', 'one that was accepted', {}],
    ['calm', 'a refusal after which nothing has to be done', { status: 409, isHarmless: true }],
    ['bad', 'any other refusal', { status: 400, verdict: 'INVALID_REQUEST' }],
    ['bad', 'an answer of a fault, to a create that was accepted', { status: 503 }],
    ['lost', 'an answer that broke off', { arrival: 'cut' as const }],
    [
      'lost',
      'a repeated create whose answer was lost',
      { verdict: 'ALREADY_ACCEPTED', arrival: 'reset' as const },
    ],
    ['waiting', 'one that has no answer yet', { status: null, arrival: 'waiting' as const }],
  ])('is %s: %s', (tone, _name, changes) => {
    expect(requestTone(request(0, changes))).toBe(tone)
  })
})

describe('the tone of a callback', () => {
  test.each([
    ['good', 'accepted', {}],
    ['bad', 'refused', { response: 500 }],
    ['bad', 'without an answer', { response: null, error: 'ECONNREFUSED' }],
    ['waiting', 'under way', { response: null, error: null }],
    ['lost', 'withheld', { response: null, error: null, isWithheld: true }],
  ])('is %s: %s', (tone, _name, changes) => {
    expect(callbackTone(callback(0, changes))).toBe(tone)
  })
})
