import { describe, expect, test } from 'vitest'
import { keysOf } from '../../../src/common/json.js'
import type { Arrival } from '../../../src/gateway/engine/logged-request.js'
import { requestFaults } from '../../../src/gateway/faults/fault-kinds.js'
import { refusalFixes } from '../../../src/gateway/wire/refusal-fixes.js'
import { routeNames } from '../../../src/gateway/wire/routes.js'
import { callbackFix } from '../../../src/page/api/payments/entries.js'
import { type ExchangeFacts, explainExchange } from '../../../src/page/api/requests/exchange-meaning.js'

const arrivals: readonly Arrival[] = ['whole', 'cut', 'reset', 'none', 'left', 'waiting']

const create: ExchangeFacts = {
  route: 'POST /payins/{idPayin}',
  verdict: 'OK',
  reason: undefined,
  fault: undefined,
  arrival: 'whole',
  differences: undefined,
}

describe('what a request and its response mean', () => {
  test('is whole sentences for every endpoint, code, fault and way of arriving', () => {
    const wrong: unknown[] = []
    const isSentence = (text: string) => /^[A-Z].*[.]$/.test(text) && !/undefined|\[object/.test(text)
    const verdicts = ['OK', 'SOMETHING_NEW', undefined, ...Object.keys(refusalFixes)]
    const faults = [undefined, ...keysOf(requestFaults)]
    for (const route of [undefined, ...routeNames]) {
      for (const verdict of verdicts) {
        for (const fault of faults) {
          for (const arrival of arrivals) {
            const facts = { route, verdict, reason: 'It says why.', fault, arrival, differences: undefined }
            const { what, fix } = explainExchange(facts)
            if (![what, fix ?? 'Nothing.'].every(isSentence)) wrong.push({ facts, what, fix })
          }
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test.each<[string, Partial<ExchangeFacts>, RegExp, RegExp | null]>([
    ['an accepted create', {}, /^The payin was accepted\.$/, null],
    [
      'a response that was lost',
      { fault: 'drop-after', arrival: 'reset' },
      /^The payin was accepted\. Fault: process it, then reset the connection\.$/,
      /^The payment exists\. .* same id/,
    ],
    [
      'a 500 after the money moved',
      { fault: 'status' },
      /^The payin was accepted\. Fault: answer with an HTTP status\./,
      /^The payment exists\./,
    ],
    ['a 503', { fault: 'status', verdict: undefined }, /^Not processed\./, /^No payment was made by it\./],
    [
      'a client that left while it was still processed',
      { verdict: undefined, fault: 'delay', arrival: 'left' },
      /The client left/,
      /^Send the same create again, with the same id\.$/,
    ],
    ['a late response that arrived', { fault: 'delay' }, /Fault: answer late\.$/, null],
    ['a create under way', { verdict: undefined, arrival: 'waiting' }, /^No response yet\.$/, null],
    [
      'a body that is refused',
      { verdict: 'INVALID_PAYMENT', reason: 'callbackUrl must be an http or https URL.' },
      /^callbackUrl must be an http or https URL\.$/,
      /^Correct what the sentence names/,
    ],
    [
      'a wrong key',
      { route: 'POST /auth-tokens', verdict: 'SIGNATURE_INVALID', reason: 'It fits no key.' },
      /^It fits no key/,
      /public key/,
    ],
    [
      'a create that was repeated',
      { verdict: 'ALREADY_ACCEPTED', differences: [] },
      /asks for the same\.$/,
      /^Nothing is wrong/,
    ],
    [
      'an id that was used for two payments',
      { verdict: 'ALREADY_ACCEPTED', differences: ['the money', 'the account number'] },
      /What differs: the money, the account number\.$/,
      /two payments/,
    ],
    ['a 429', { verdict: undefined, fault: 'rate-limit' }, /answer 429, nothing processed\.$/, /^Wait/],
    [
      'a read whose response was lost',
      { route: 'GET /payins/{idPayin}', fault: 'drop-after', arrival: 'reset' },
      /^The payin was read\./,
      /^Send it again: that changes nothing\.$/,
    ],
  ])('is said of %s', (_name, facts, what, fix) => {
    const meaning = explainExchange({ ...create, ...facts })
    expect(meaning.what).toMatch(what)
    if (fix === null) expect(meaning.fix).toBeNull()
    else expect(meaning.fix).toMatch(fix)
  })
})

describe('what to do about a callback that failed', () => {
  test.each([
    [500, undefined, /log of the receiver/],
    [404, undefined, /compare its secret/],
    [401, undefined, /did not take/],
    [302, undefined, /redirects are not followed/],
    [undefined, 'fetch failed: connect ECONNREFUSED 127.0.0.1:9', /start the receiver/],
    [undefined, 'getaddrinfo ENOTFOUND shop.example', /correct its name/],
    [undefined, 'No response within 5000 ms.', /Respond first/],
    [undefined, 'socket hang up', /can be reached/],
  ])('answered %s, error %s', (response, error, fix) => {
    expect(callbackFix({ response, error })).toMatch(fix)
  })

  test('is nothing where it was accepted, or has no response yet', () => {
    expect(callbackFix({ response: 204, error: undefined })).toBeNull()
    expect(callbackFix({ response: undefined, error: undefined })).toBeNull()
  })
})
