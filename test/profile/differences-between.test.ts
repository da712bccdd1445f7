import { describe, expect, test } from 'vitest'
import type { GatewayProfile } from '../../src/client/profile/gateway-profile.js'
import { differencesBetween } from '../../src/profile/differences-between.js'
import { fullProfile } from './sample.js'

const profile = (more: Omit<GatewayProfile, 'profileVersion'>): GatewayProfile => ({
  profileVersion: 1,
  ...more,
})
const body = (shape: object) => ({ status: 200, contentType: 'application/json', body: { ...shape } })

test('a profile does not differ from itself', () => {
  expect(differencesBetween(fullProfile, fullProfile)).toEqual([])
})

test('what only one of two has seen is no difference', () => {
  expect(differencesBetween(fullProfile, profile({}))).toEqual([])
  expect(differencesBetween(profile({}), fullProfile)).toEqual([])
})

describe('two profiles differ in what the gateway does otherwise now', () => {
  test.each<
    [
      before: Omit<GatewayProfile, 'profileVersion'>,
      now: Omit<GatewayProfile, 'profileVersion'>,
      sentences: string[],
    ]
  >([
    [
      { tokens: { field: 'token' } },
      { tokens: { field: 'jwt' } },
      ['tokens: `field` is jwt now, and was token'],
    ],
    [
      { tokens: { claims: ['exp'] } },
      { tokens: { claims: [] } },
      ['tokens: `claims` is empty now, and was exp'],
    ],
    [
      { payins: { statusField: 'a' } },
      { payins: { statusField: 'b' } },
      ['payins: `statusField` is b now, and was a'],
    ],
    [
      { payouts: { statuses: { A: 'final' } } },
      { payouts: { statuses: { A: 'passing', B: 'final' } } },
      ['payouts: the status `A` is passing now, and was final', 'payouts: the status `B` is new (final)'],
    ],
    [{ payouts: { statuses: { A: 'final' } } }, { payouts: { statuses: { A: 'unclear' } } }, []],
    [
      { answers: { 'GET /balances': body({ a: 'string' }) } },
      { answers: { 'GET /balances': { ...body({}), status: 201, contentType: 'text/json' } } },
      [
        'GET /balances: `status` is 201 now, and was 200',
        'GET /balances: the content type is text/json now, and was application/json',
        'GET /balances: `a` is gone',
      ],
    ],
    [
      { refusals: { 'token-wrong': { status: 401 } } },
      { refusals: { 'token-wrong': { status: 403 } } },
      ['the refusal token-wrong: `status` is 403 now, and was 401'],
    ],
    [
      { rate: { retryAfter: 'date' } },
      { rate: { retryAfter: 'absent' } },
      ['rate: `retryAfter` is absent now, and was date'],
    ],
    [
      { callbacks: { method: 'POST', body: {}, secondsBetweenTries: [1] } },
      { callbacks: { method: 'PUT', secondsBetweenTries: [2] } },
      ['callbacks: `method` is PUT now, and was POST', 'callbacks: the body is gone'],
    ],
    [
      { tokens: { longestValiditySecs: 86_400 } },
      { tokens: { longestValiditySecs: 300 } },
      ['tokens: `longestValiditySecs` is 300 now, and was 86400'],
    ],
    [
      { rate: { counted: 'in-windows' } },
      { rate: { takenAtOnce: 5 } },
      ['rate: of eleven requests at once 5 are taken now, and 10 were'],
    ],
    [{ rate: { takenAtOnce: 11 } }, { rate: { takenAtOnce: 10 } }, []],
    [
      { rate: { takenInARow: 8 } },
      { rate: { takenInARow: 4 } },
      ['rate: of eight requests in a row 4 are taken now, and 8 were'],
    ],
    [{ rate: { takenInARow: 8 } }, { rate: { takenInARow: 6 } }, []],
    [{ callbacks: { method: 'POST' } }, { callbacks: { tries: 0 } }, ['callbacks: none comes any more']],
    [{ callbacks: { tries: 0 } }, { callbacks: { method: 'POST' } }, ['callbacks: they come now']],
    [{ callbacks: { tries: 0 } }, { callbacks: { tries: 0 } }, []],
    [
      { customerAccountPath: '/a/{idPayin}' },
      { customerAccountPath: '/b/{idPayin}' },
      ['customer account data: `path` is /b/{idPayin} now, and was /a/{idPayin}'],
    ],
  ])('%j, and then %j', (before, now, sentences) => {
    expect(differencesBetween(profile(before), profile(now))).toEqual(sentences)
  })
})

test('what is seen of a payment on its way is no difference where one of two looked at its end only', () => {
  const ended = { process: { status: 'string', processedAt: 'string', reason: 'string' } }
  const onItsWay = {
    process: { status: 'string', 'processedAt?': 'string', reason: 'null|string', 'hint?': 'text' },
  }
  const end = profile({
    payins: { statuses: { SUCCESS: 'final' } },
    answers: { 'GET /payins/{idPayin}': body(ended) },
  })
  const way = profile({
    payins: { statuses: { PENDING: 'passing', SUCCESS: 'final' } },
    answers: { 'GET /payins/{idPayin}': body(onItsWay) },
  })
  expect([...differencesBetween(end, way), ...differencesBetween(way, end)]).toEqual([])
  const gone = { ...way, answers: { 'GET /payins/{idPayin}': body({ process: { status: 'number' } }) } }
  expect(differencesBetween(end, gone)).toEqual([
    'GET /payins/{idPayin}: `process.processedAt` is gone',
    'GET /payins/{idPayin}: `process.reason` is gone',
    'GET /payins/{idPayin}: `process.status` is number now, and was string',
  ])
})
