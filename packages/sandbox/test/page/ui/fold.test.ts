import { expect, test } from 'vitest'
import type { Entry } from '../../../src/page/api/payments/entries.js'
import { folded } from '../../../src/page/ui/payments/fold.js'
import { callback, lookup, request, status } from '../../entries.js'

const fault = { kind: 'delay', by: 'a fault that was added' }
const failed = { response: 500 }

test.each<[name: string, entries: Entry[], shown: string]>([
  ['a request that made a token is folded', [request(0, { isMint: true }), request(1)], '(1) r'],
  [
    'a request for a token that was refused is shown',
    [request(0, { isMint: true, status: 401, verdict: 'SIGNATURE_INVALID' }), request(1)],
    'r r',
  ],
  ['one status request stays', [request(0), lookup(1)], 'r r'],
  ['two status requests stay', [lookup(1), lookup(2)], 'r r'],
  ['the first of many stays', [lookup(1), lookup(2), lookup(3), lookup(4)], 'r (3)'],
  ['a create is never folded', [request(0), request(1), request(2), request(3)], 'r r r r'],
  ['a status begins anew', [lookup(1), lookup(2), lookup(3), status(4, 'SUCCESS'), lookup(5)], 'r (2) s r'],
  [
    'a status alone separates',
    [lookup(1), status(2, 'PENDING'), lookup(3), lookup(4), lookup(5)],
    'r s r (2)',
  ],
  [
    'status requests and callbacks in turn fold together',
    [callback(1), lookup(2), callback(3), lookup(4), callback(5), lookup(6)],
    'c r (4)',
  ],
  ['another response is shown', [lookup(1), lookup(2, { status: 404, verdict: 'X' }), lookup(3)], 'r r r'],
  ['what met a fault is shown', [lookup(1), lookup(2, { fault }), lookup(3, { fault })], 'r r r'],
  [
    'what did not arrive is shown',
    [lookup(1), lookup(2, { arrival: 'reset' }), lookup(3, { arrival: 'reset' })],
    'r r r',
  ],
  [
    'the last try of a callback is shown',
    [1, 2, 3, 4].map((attempt) => callback(attempt, { ...failed, attempt, isGivenUp: attempt === 4 })),
    'c (2) c',
  ],
  ['a callback that waits is shown', [callback(1), callback(2, { response: null })], 'c c'],
])('%s', (_name, entries, shown) => {
  const steps = folded(entries)
  const words = steps.map((step) => (step.type === 'fold' ? `(${step.entries.length})` : step.type.charAt(0)))
  expect(words.join(' ')).toBe(shown)
  expect(steps.flatMap((step) => (step.type === 'fold' ? step.entries : [step]))).toEqual(entries)
})
