import { describe, expect, it } from 'vitest'
import * as errors from '../../../src/client/errors.js'
import type { Failed, Failure } from '../../../src/client/http/failure.js'
import { toError as madeOf } from '../../../src/client/http/to-error.js'
import { connectionAdvice } from '../../../src/client/http/transport/connect-errors.js'
import { mask } from '../../../src/client/redact.js'
import type { AnyFields } from '../../support/caught.js'
import { answered, failureOf, response, rowsOf } from '../../support/failures.js'

/** Of any class, so it is asked for any field. */
const toError = (failure: Failure, outcome: Outcome, context: Context): errors.GatewayError & AnyFields =>
  madeOf({ ...context, failure, outcome })

type Outcome = errors.Outcome
type Context = Omit<Failed, 'failure' | 'outcome'>

const nowMs = Date.parse('2026-11-21T07:00:00.000Z')
const context: Context = {
  route: 'POST /payouts/{idPayout}',
  attempts: 1,
  retryAfterMs: undefined,
  timeoutMs: 30_000,
  deadlineMs: 120_000,
  nowMs,
  secrets: ['s3cret'],
  about: { kind: 'create', payment: 'payout', id: 'order-1', isGiven: true },
}
const outcomes = ['not-accepted', 'unknown', 'accepted'] as const

/** What it means for the money, and how the call is made again. */
const meaning: Readonly<Record<Outcome, readonly [money: string, again: string]>> = {
  'not-accepted': ['this call created no payout', 'to try again, use the same id'],
  unknown: [
    'the payout may or may not exist, so never create it under another id',
    'call again with the same id',
  ],
  accepted: [
    'the gateway has a payout under this id, so never create it under another one',
    'call again with the same id to get it',
  ],
}

/** A failure, the class and the outcome of its error, what happened, and what to do beside calling again. */
const table = `
  unusable, its payment | UnusableResponseError accepted   | the gateway answered 200 with a body that can't be used (body: expected JSON)
  unusable page       | UnusableResponseError unknown      | the gateway answered 200 with a body that can't be used (body: expected JSON) | check baseUrl
  too large 200       | UnusableResponseError accepted     | the response is larger than maxResponseBytes | raise that if the gateway means it
  no connection       | ConnectionError not-accepted       | no connection could be made
  broken connection   | ConnectionError unknown            | the connection broke
  limiter             | ConnectionError not-accepted       | the limiter given as rateLimit failed, so nothing was sent | see error.cause
  limiter store       | ConnectionError not-accepted       | the store of the shared rate limit was away, so nothing was sent | see error.cause and its cause
  no response         | TimeoutError unknown               | no full response within timeoutMs (30000 ms)
  no time to wait     | TimeoutError not-accepted          | deadlineMs (120000 ms) passed while waiting for a permit
  aborted before      | AbortedError not-accepted          | the caller's signal fired before anything was sent
  aborted on the wire | AbortedError unknown               | the caller's signal fired after a request was sent
  queue full          | QueueFullError not-accepted        | more calls wait for the rate limit than maxQueued allows | try again when fewer are waiting
  paused              | RateLimitError not-accepted        | the gateway said 429 and asked to wait for longer than deadlineMs, so nothing was sent | try again after 200 s
  closed              | ClientClosedError not-accepted     | the client was closed
  undici missing      | ConfigurationError not-accepted    | what sends requests could not be loaded, so nothing was sent | install undici beside this package
  undici broken       | ConfigurationError not-accepted    | what sends requests could not be loaded, so nothing was sent | undici is there and does not run: see error.cause, and docs/bundling.md where a bundler took it in
  signer              | SigningError not-accepted          | the token request could not be signed, so nothing was sent | error.cause is what the signer threw
  no token            | UnusableResponseError not-accepted | no token found in the response, whose fields are ticket, kind | name the field in the option tokenField
  long token          | UnusableResponseError not-accepted | the token in the response has more than 8192 characters, which no request could carry | ask the platform for a shorter one
  302                 | UnusableResponseError unknown      | the gateway answered 302, and redirects are not followed | check baseUrl
  401                 | AuthenticationError not-accepted   | not authenticated (401) | a new token was refused like the one before, so ask the platform why it does not take the tokens that it makes
  403                 | PermissionError not-accepted       | the token does not allow this operation (403) | check what the merchant account is allowed, and the operations if you set them: a gateway may match them with decoded paths
  404                 | NotFoundError not-accepted         | not found (404) | the gateway also says this of an API version or a path that it does not know, so check baseUrl if every call gets it
  429                 | RateLimitError not-accepted        | over the rate limit (429) | another process may use up the same limit
  400                 | InvalidRequestError not-accepted   | the gateway refused the request (400)
  409                 | InvalidRequestError not-accepted   | the gateway refused the request (409)
  422                 | InvalidRequestError unknown        | the gateway refused the request (422)
  502                 | ServerError unknown                | the gateway failed (502)`

describe('an error says in one sentence what happened, what it means for the money and what to do', () => {
  it.each(rowsOf(table))('%s: %s %s; %s', (name = '', made = '', what, advice) => {
    const [className = '', told = ''] = made.split(' ')
    const outcome = outcomes.find((one) => one === told) ?? expect.fail()
    const failure = failureOf(name)
    const error = toError(failure, outcome, context)
    expect(error).toBeInstanceOf(Reflect.get(errors, className))
    expect(error.name).toBe(className)
    const [money, again] = meaning[outcome]
    const parts = [what, money, ...(advice === undefined ? [] : [advice]), again]
    expect(error.message).toBe(`POST /payouts/{idPayout}: ${parts.join('; ')}.`)
    expect(error.message.slice(0, -1)).not.toMatch(/\.\s/)
    expect(error).toMatchObject({ idPayout: 'order-1', outcome, attempts: 1 })
    if ('cause' in failure) expect(error.cause).toMatchObject({ message: 'why' })
    else expect(error.cause).toBeUndefined()
    if (failure.kind === 'response') expect(error.status).toBe(failure.response.status)
  })

  it.each(['aborted before', 'signer', 'limiter', 'paused'])(
    'does not say that nothing was sent when an earlier attempt was: %s',
    (name) => {
      const { message } = toError(failureOf(name), 'unknown', { ...context, attempts: 2 })
      expect(message).not.toMatch(/nothing was sent|before anything was sent/)
      for (const part of meaning.unknown) expect(message).toContain(part)
    },
  )

  it('counts the attempts when there were several', () => {
    const error = toError(answered(503), 'unknown', { ...context, attempts: 5 })
    expect(error.message).toContain('the gateway failed (503) (attempt 5); ')
    expect(error.attempts).toBe(5)
  })

  it('carries how long the gateway asked to wait', () => {
    const retryAfterMs = 61_000
    expect(toError(answered(429), 'not-accepted', { ...context, retryAfterMs })).toMatchObject({
      retryAfterMs,
    })
    expect(toError(failureOf('paused'), 'not-accepted', context).retryAfterMs).toBe(200_000)
  })
})

describe('the advice fits what was shown to the gateway', () => {
  it.each([
    [401, 'signature', 'check merchantCode, the key and its public half at the platform, and timestampUnit'],
    [401, 'signature', 'tried with two different signatures, so neither was refused as a replay'],
    [401, 'secret', 'check merchantCode and merchantSecret;'],
    [400, 'signature', 'check merchantCode and tokenValiditySecs'],
    [422, 'secret', 'check merchantCode and tokenValiditySecs'],
  ] as const)('%d for a token request with a %s: %s', (status, credential, words) => {
    const { message } = toError(answered(status), 'not-accepted', { ...context, credential })
    expect(message).toContain(words)
    if (credential === 'secret') expect(message).not.toMatch(/key|timestamp|clock/)
  })

  it('a secret has no timestamp, so a clock that is wrong is not to blame for it', () => {
    const date = 'Sat, 21 Nov 2026 08:00:00 GMT'
    const { message } = toError(answered(401, { date }), 'not-accepted', { ...context, credential: 'secret' })
    expect(message).not.toContain('clock')
  })

  it.each([
    [400, 'tokenValiditySecs'],
    [401, 'merchantCode'],
  ])('%d for a payment does not blame what belongs to token requests (%s)', (status, option) => {
    expect(toError(answered(status), 'not-accepted', context).message).not.toContain(option)
  })
})

describe('a connection that could not be made says what to do about it', () => {
  const withCode = (code: string) => Object.assign(new Error('no'), { code })
  it.each([
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'NODE_EXTRA_CA_CERTS'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'NODE_EXTRA_CA_CERTS'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
    ['CERT_HAS_EXPIRED', 'certificate has expired'],
    ['CERT_NOT_YET_VALID', "this machine's clock"],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'for another host: check the host of baseUrl'],
    ['EPROTO', 'scheme and the port of baseUrl'],
    ['ECONNREFUSED', 'whether the gateway runs'],
    ['ENOTFOUND', 'check the host of baseUrl'],
  ])('%s: %s', (code, words) => {
    for (const why of [withCode(code), new TypeError('fetch failed', { cause: withCode(code) })]) {
      const advice = connectionAdvice(why, false)
      const failure: Failure = { kind: 'connection', sent: false, cause: why, advice }
      const { message } = toError(failure, 'not-accepted', context)
      expect(message).toMatch(/^POST \/payouts\/\{idPayout\}: no connection could be made; /)
      expect(message).toContain(words)
      expect(message).toMatch(/; this call created no payout; .*; to try again, use the same id\.$/)
    }
  })

  it.each([['ECONNRESET'], ['toString'], ['__proto__']])('and nothing about %s', (code) => {
    expect(connectionAdvice(withCode(code), false)).toBeUndefined()
  })

  it('nor does it give advice on certificates once a request went out', () => {
    const why = withCode('CERT_HAS_EXPIRED')
    expect(connectionAdvice(why, true)).toBeUndefined()
  })
})

describe('a 401 tells of a clock that is wrong (peer failure 18)', () => {
  it.each([
    ['Sat, 21 Nov 2026 06:55:00 GMT', 300_000, "this machine's clock is 300 s ahead of the gateway's"],
    ['Sat, 21 Nov 2026 08:00:00 GMT', -3_600_000, "this machine's clock is 3600 s behind the gateway's"],
  ])('at %s', (date, clockAheadMs, words) => {
    const error = toError(answered(401, { date }), 'not-accepted', context)
    expect(error.clockAheadMs).toBe(clockAheadMs)
    expect(error.message).toContain(words)
  })

  it('also by seconds, where a signature holds the time', () => {
    const date = 'Sat, 21 Nov 2026 06:59:55 GMT'
    const error = toError(answered(401, { date }), 'not-accepted', { ...context, credential: 'signature' })
    expect(error.clockAheadMs).toBe(5_000)
    expect(error.message).toContain("this machine's clock is 5 s ahead of the gateway's, set it right")
    expect(error.message).toContain("a second request by the gateway's clock was refused as well")
    expect(toError(answered(401, { date }), 'not-accepted', context)).not.toHaveProperty('clockAheadMs')
  })

  it('and names it where a signature was refused without a date to compare with', () => {
    const { message } = toError(answered(401), 'not-accepted', { ...context, credential: 'signature' })
    expect(message).toContain("and this machine's clock, which the response gave no date to compare with")
    const date = 'Sat, 21 Nov 2026 07:00:00 GMT'
    const right = toError(answered(401, { date }), 'not-accepted', { ...context, credential: 'signature' })
    expect(right.message).not.toContain('clock')
  })

  it('and is silent when it is right', () => {
    const error = toError(answered(401, { date: 'Sat, 21 Nov 2026 07:00:30 GMT' }), 'not-accepted', context)
    expect(error).not.toHaveProperty('clockAheadMs')
  })
})

describe('an error of a response', () => {
  it('shows the first bytes of what is no JSON, unless a secret is in it (peer failure 4)', () => {
    const error = toError(answered(502, {}, '<h1>Bad Gateway</h1>'), 'unknown', context)
    expect(error.bodyStart).toBe('<h1>Bad Gateway</h1>')
    const other = toError(answered(502, {}, '<h1>Bad Gateway</h1> s3cret'), 'unknown', context)
    expect(other.bodyStart).toBe(mask)
    expect(error).not.toHaveProperty('gatewayMessage')
  })

  it.each(['{"account":{"accountName":"Jana', '<account>Jana</account>', 'name: Jana'])(
    'shows nothing of a success that can not be read, where a customer may stand: %s',
    (body) => {
      const failure = { kind: 'unusable', response: response(200, {}, body), issues: [] } as const
      const error = toError(failure, 'unknown', context)
      expect(error).not.toHaveProperty('bodyStart')
      expect(JSON.stringify(error) + error.message).not.toContain('Jana')
    },
  )

  it('shows the page that came in place of a success', () => {
    const failure = {
      kind: 'unusable',
      response: response(200, {}, ' <!DOCTYPE html><h1>Login'),
      issues: [],
    } as const
    expect(toError(failure, 'unknown', context).bodyStart).toBe('<!DOCTYPE html><h1>Login')
  })

  it('shows what the gateway says in JSON, unless a secret is in it', () => {
    const error = toError(answered(400, {}, '{"message":"s3cret is wrong"}'), 'not-accepted', context)
    expect(error.gatewayMessage).toBe(mask)
    const other = toError(answered(400, {}, '{"message":"the amount is wrong"}'), 'not-accepted', context)
    expect(other.gatewayMessage).toBe('message: the amount is wrong')
    expect(error).not.toHaveProperty('bodyStart')
  })

  it('shows what the gateway says of an id that is a number', () => {
    const numbered: Context = {
      ...context,
      about: { kind: 'create', payment: 'payout', id: '20261124001', isGiven: true },
    }
    const error = toError(answered(400, {}, '{"message":"no payout 20261124001"}'), 'not-accepted', numbered)
    expect(error.gatewayMessage).toBe('message: no payout 20261124001')
  })

  it('shows only headers that are safe', () => {
    const headers = {
      'content-type': 'text/html',
      'retry-after': '2',
      'x-request-id': 's3cret-7',
      'set-cookie': 'session=1',
      authorization: 'Bearer x',
    }
    expect(toError(answered(500, headers), 'unknown', context).headers).toEqual({
      'content-type': 'text/html',
      'retry-after': '2',
      'x-request-id': mask,
    })
  })

  it('names the operation that a token was not allowed', () => {
    expect(toError(answered(403), 'not-accepted', context).operation).toBe('POST /payouts/{idPayout}')
  })

  it('of a token request speaks of the call that waited for the token', () => {
    const request: Failed = {
      ...context,
      about: { kind: 'token', credential: 'signature' },
      failure: answered(401),
      outcome: 'not-accepted',
      route: 'POST /auth-tokens',
      attempts: 3,
    }
    const error = toError({ kind: 'token', request }, 'not-accepted', context)
    expect(error).toBeInstanceOf(errors.AuthenticationError)
    expect(error).toMatchObject({ idPayout: 'order-1', outcome: 'not-accepted', attempts: 3 })
    expect(error.message).toMatch(/^POST \/auth-tokens: not authenticated \(401\) .*created no payout/)
  })
})

describe('what is known beside the response', () => {
  it('is how long the gateway asks to wait', () => {
    const { message } = toError(answered(429), 'not-accepted', { ...context, retryAfterMs: 119_500 })
    expect(message).toContain('use up the same limit, and the gateway asks to wait for 120 s; ')
  })

  it('is that a 403 was about the token itself', () => {
    const route = 'POST /auth-tokens'
    const { message } = toError(answered(403), 'not-accepted', { ...context, route, credential: 'signature' })
    expect(message).toContain(
      'the gateway gives this merchant no such token (403); this call created no payout; ask the platform',
    )
  })
})
