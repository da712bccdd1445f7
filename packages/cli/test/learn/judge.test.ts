import { describe, expect, test } from 'vitest'
import { fullProfile } from '../../../../test/profile/sample.js'
import { type Answer, headerFacts, isRefusal, isSuccess, type Reply, whyNot } from '../../src/answer.js'
import { isAtEnd, paymentProfile } from '../../src/learn/find-status.js'
import { claimsOf, tokenCandidates } from '../../src/learn/find-token.js'
import { gapsOf } from '../../src/learn/gaps.js'
import { tellingHeaders, triesOf } from '../../src/learn/learn-callbacks.js'
import { judgeCounting } from '../../src/learn/learn-rate.js'
import { payinBody, wrongBodies } from '../../src/learn/payment-requests.js'
import { withOtherCharacter } from '../../src/learn/token-request.js'

const token = 'opaque-token-of-16-or-more'
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJNIiwiZXhwIjoxfQ.c2lnbmF0dXJl'

describe('tokens in an answer', () => {
  test.each<[body: string, places: readonly string[]]>([
    [JSON.stringify({ token }), ['json token']],
    [JSON.stringify({ data: { bearer: token, id: 'short' } }), ['json data.bearer']],
    [JSON.stringify({ requestId: 'x'.repeat(36), access: jwt }), ['json access', 'json requestId']],
    [
      JSON.stringify({ a: token, result: { access_token: `${token}2` } }),
      ['json result.access_token', 'json a'],
    ],
    [JSON.stringify({ tokens: [{ value: token }] }), ['json tokens.0.value']],
    [JSON.stringify({ 'a.b': token, __proto: token }), ['json __proto']],
    [JSON.stringify(token), ['json-string ']],
    [`${token}\n`, ['text ']],
    ['OK', []],
    ['<h1>It works, and all of it</h1>', []],
    ['"It works, and all of it"', []],
    [JSON.stringify({ message: 'It works, and all of it' }), []],
    ['', []],
  ])('%s', (body, places) => {
    expect(tokenCandidates(body).map(({ format, field = '' }) => `${format} ${field}`)).toEqual(places)
  })

  test('are no more than a few, and none that a client would not find', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field${at}`, token]))
    expect(tokenCandidates(JSON.stringify(many))).toHaveLength(5)
    const deep = { a: { b: { c: { d: { e: { f: { token } } } } } } }
    expect(tokenCandidates(JSON.stringify(deep))).toEqual([])
    expect(tokenCandidates(JSON.stringify({ token: 'x'.repeat(8193) }))).toEqual([])
  })

  test('say what they claim where they are JWTs', () => {
    expect(claimsOf(jwt)).toEqual({ sub: 'M', exp: 1 })
    expect([claimsOf(token), claimsOf('a.b.c'), claimsOf('a.W10.c')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('are made wrong where it matters', () => {
    const wrong = withOtherCharacter(jwt)
    expect(wrong).not.toBe(jwt)
    expect(wrong.split('.').slice(0, 2)).toEqual(jwt.split('.').slice(0, 2))
    expect(withOtherCharacter('AAAA')).toBe('AABA')
  })
})

describe('where a payment stands', () => {
  const isShown = (status: string) => /^[A-Z_]+$/.test(status)
  const at = '2026-11-22T10:00:00Z'
  type Found = ReturnType<typeof paymentProfile>

  test.each<[what: string, lookUps: readonly unknown[], found: Found, ended: boolean]>([
    [
      'by the specification',
      [{ process: { status: 'PENDING' } }, { process: { status: 'SUCCESS', processedAt: at } }],
      {
        statusField: 'process.status',
        processedAtField: 'process.processedAt',
        statuses: { PENDING: 'passing', SUCCESS: 'final' },
      },
      true,
    ],
    [
      'at the top, with a time of another name',
      [
        { state: 'OPEN', createdAt: at },
        { state: 'REFUSED', createdAt: at, doneAt: at },
      ],
      { statusField: 'state', processedAtField: 'doneAt', statuses: { OPEN: 'passing', REFUSED: 'final' } },
      true,
    ],
    [
      'beside other fields of that name: the one that changes',
      [
        { merchant: { status: 'ACTIVE' }, payment: { status: 'OPEN' } },
        { merchant: { status: 'ACTIVE' }, payment: { status: 'SUCCESS' } },
      ],
      { statusField: 'payment.status', statuses: { OPEN: 'passing', SUCCESS: 'final' } },
      true,
    ],
    [
      'in a field of another name that says SUCCESS',
      [{ result: 'SUCCESS', id: 'x' }],
      { statusField: 'result', statuses: { SUCCESS: 'final' } },
      true,
    ],
    [
      'and stays there: nobody knows whether it is the end',
      [{ status: 'PENDING' }, { status: 'PENDING' }],
      { statusField: 'status', statuses: { PENDING: 'unclear' } },
      false,
    ],
    [
      'at an end that has no time',
      [{ status: 'CREATED' }, { status: 'REFUSED' }],
      { statusField: 'status', statuses: { CREATED: 'passing', REFUSED: 'unclear' } },
      false,
    ],
    [
      'at its end from the first look-up on',
      [{ process: { status: 'FAILED', processedAt: at } }],
      {
        statusField: 'process.status',
        processedAtField: 'process.processedAt',
        statuses: { FAILED: 'final' },
      },
      true,
    ],
    [
      'at times that are none of its end',
      [
        { status: 'OPEN', expireAt: at },
        { status: 'CLOSED', expireAt: at, refundableUntil: at },
      ],
      { statusField: 'status', statuses: { OPEN: 'passing', CLOSED: 'unclear' } },
      false,
    ],
    [
      'in no word',
      [{ status: 'Jana Kowalski' }, { status: 'SUCCESS' }],
      { statusField: 'status', statuses: { SUCCESS: 'final' } },
      true,
    ],
    ['nowhere', [{ id: 'a', statement: 'OF_ACCOUNT' }], {}, false],
    ['in what is no object', ['text', null, [{ status: 'OPEN' }], 5], {}, false],
  ])('%s', (_, lookUps, found, ended) => {
    expect(paymentProfile(lookUps, isShown)).toEqual(found)
    expect(isAtEnd(lookUps, isShown)).toBe(ended)
  })
})

describe('how requests are counted', () => {
  const replies = (statuses: readonly number[]): Reply[] =>
    statuses.map((status) =>
      status === 0
        ? { kind: 'none', code: 'ECONNRESET' }
        : { kind: 'answered', status, retryAfter: 'absent', tookMs: 1, body: '' },
    )
  const many = (taken: number, refused: number) => [...Array(taken).fill(200), ...Array(refused).fill(429)]

  test.each<[statuses: readonly number[], counting: object | undefined]>([
    [many(2, 0), undefined],
    [many(1, 1), { counted: 'evenly-spaced', message: 'of two requests at once one is refused' }],
    [many(0, 2), { why: 'two requests after a silence were refused both: others spend the same budget' }],
    [many(11, 0), { counted: 'in-windows', message: '11 requests at once are taken' }],
    [many(10, 1), { counted: 'in-windows', message: 'of eleven requests at once ten are taken' }],
    [many(5, 6), { why: 'of 11 requests at once 5 were taken, and of two both' }],
    [[200, 0], { why: '1 of 2 requests at once came to nothing' }],
    [[200, 503], { why: '1 of 2 requests at once came to nothing' }],
  ])('%j', (statuses, counting) => {
    expect(judgeCounting(statuses.length, replies(statuses))).toEqual(counting)
  })
})

describe('how often a callback is tried', () => {
  const waits = { leastMs: 1000, mostMs: 30_000 }
  const times = (...cameMs: readonly number[]) =>
    cameMs.map((came) => ({ cameMs: came, answeredMs: came + 500 }))

  test.each<[what: string, times: ReturnType<typeof times>, silenceMs: number, tries: object]>([
    ['none yet', [], 5000, { kind: 'waiting' }],
    ['none at all', [], 30_000, { kind: 'unseen', why: 'no callback came after the payment had ended' }],
    ['once so far', times(0), 10_000, { kind: 'waiting' }],
    [
      'once',
      times(0),
      30_000,
      { kind: 'unseen', why: 'it was answered 500 and did not come again within 30 s' },
    ],
    ['three times, and perhaps again', times(0, 1500, 4000), 7000, { kind: 'waiting' }],
    [
      'three times',
      times(0, 1500, 4000),
      8100,
      { kind: 'seen', profile: { tries: 3, secondsBetweenTries: [1, 2] } },
    ],
    [
      'for longer than it is waited',
      times(0, 20_000),
      30_000,
      { kind: 'unseen', why: 'it was still coming again when the wait was over' },
    ],
    ['twice at once', times(0, 0), 1001, { kind: 'seen', profile: { tries: 2, secondsBetweenTries: [0] } }],
  ])('%s', (_, came, silenceMs, tries) => {
    expect(triesOf(came, silenceMs, waits)).toEqual(tries)
  })

  test('is told by headers that not every request has', () => {
    const names = [
      'host',
      'content-type',
      'x-event',
      'x-event',
      'user-agent',
      'x-order-20261122',
      'x-secret',
      'cf-ray',
    ]
    expect(tellingHeaders(names, (text) => text.replace('secret', '[redacted]'))).toEqual(['x-event'])
  })
})

describe('an answer', () => {
  const facts = (headers: Record<string, string>) => headerFacts((name) => headers[name], 1_000_000)
  test.each<[headers: Record<string, string>, facts: object]>([
    [{}, { retryAfter: 'absent' }],
    [
      { 'content-type': 'Application/JSON; charset=utf-8' },
      { contentType: 'application/json', retryAfter: 'absent' },
    ],
    [{ 'retry-after': '2' }, { retryAfter: 'seconds', retryAfterMs: 2000 }],
    [{ 'retry-after': new Date(1_003_000).toUTCString() }, { retryAfter: 'date', retryAfterMs: 3000 }],
    [{ 'retry-after': 'soon' }, { retryAfter: 'date' }],
    [{ date: new Date(5000).toUTCString() }, { retryAfter: 'absent', dateMs: 5000 }],
  ])('with %j', (headers, expected) => {
    expect(facts(headers)).toEqual(expected)
  })

  const answer = (status: number): Answer => ({
    kind: 'answered',
    status,
    retryAfter: 'absent',
    tookMs: 1,
    body: '',
  })
  test.each<[reply: Reply, success: boolean, refusal: boolean, why: string]>([
    [answer(201), true, false, 'it was answered 201'],
    [answer(302), false, false, 'it was answered 302'],
    [answer(422), false, true, 'it was answered 422'],
    [answer(429), false, false, 'it was answered 429'],
    [answer(503), false, false, 'it was answered 503'],
    [{ kind: 'none', code: 'TIMEOUT' }, false, false, 'no answer came: nobody answered in time'],
    [{ kind: 'none', code: 'TOO_LONG' }, false, false, 'its answer did not end within 1 MiB'],
  ])('%j', (reply, success, refusal, why) => {
    expect([isSuccess(reply), isRefusal(reply), whyNot(reply)]).toEqual([success, refusal, why])
  })
})

describe('the requests of payments', () => {
  const money = { amount: 10, currencyCode: 'EUR' }

  test('take the first method and operator that are offered', () => {
    const offered = { data: [{ paymentMethodCode: 'CARD', paymentOperators: [{ code: 'PIER' }] }] }
    expect(payinBody({ money }, offered, 'http://127.0.0.1:9/x')).toMatchObject({
      paymentRequested: { money },
      paymentMethod: { paymentMethodCode: 'CARD', paymentOperatorCode: 'PIER' },
      callbackUrl: 'http://127.0.0.1:9/x',
    })
    for (const odd of [undefined, {}, { data: [] }, { data: [5] }, { data: [{ paymentMethodCode: 5 }] }]) {
      expect(payinBody({ money }, odd)).toMatchObject({ paymentMethod: { paymentMethodCode: 'VAPAY' } })
    }
  })

  test('stand as a file has them', () => {
    const payin = { paymentRequested: { money: { ...money, amount: 3 } }, note: 'mine' }
    expect(payinBody({ money, payin }, undefined)).toEqual(payin)
    expect(wrongBodies(payin)).toEqual({
      'money-missing': { note: 'mine' },
      'amount-wrong': { note: 'mine', paymentRequested: { money: { ...money, amount: -1 } } },
    })
  })
})

test('what a profile can have and has not are its gaps, by names that fit into it', () => {
  expect(gapsOf(fullProfile).filter((part) => !part.startsWith('answers.'))).toEqual([])
  const all = gapsOf({ profileVersion: 1 })
  expect(all).toContain('tokens.field')
  expect(all).toContain('answers.POST /payins/idPayin')
  expect(all).toContain('refusals.rate-exceeded')
  expect(all).toContain('callbacks')
  for (const part of all) expect(part).toMatch(/^[A-Za-z][\w ./-]{0,63}$/)
})
