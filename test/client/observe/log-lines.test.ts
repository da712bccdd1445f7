import { describe, expect, it } from 'vitest'
import {
  AbortedError,
  ConnectionError,
  InvalidInputError,
  NotFoundError,
  ServerError,
} from '../../../src/client/errors.js'
import { lineOf } from '../../../src/client/observe/log-lines.js'
import type { CallEnded, ObservedCall } from '../../../src/index.js'

const client = { serverAddress: 'gateway.example', serverPort: 443, basePath: '' }
const create: ObservedCall = {
  client,
  name: 'payouts.create',
  method: 'POST',
  pathTemplate: '/payouts/{idPayout}',
  priority: 'customer',
  idPayout: 'order-1',
}
const good: CallEnded = {
  call: create,
  durationMs: 120.4,
  attempts: 1,
  waitedForPermitMs: 0.01,
  waitedForTokenMs: 0.01,
  status: 200,
}
const poll = { ...create, name: 'payouts.retrieve', method: 'GET', priority: 'background' } as const
const failed = new ServerError('POST /payouts/{idPayout}: the gateway failed (503); call again.', {
  status: 503,
  outcome: 'unknown',
})
const slowMs = 10_000
type Line = ReturnType<typeof lineOf>

const calls: Record<string, readonly [Partial<CallEnded>, string]> = {
  'went well': [
    { outcome: 'accepted', replayed: false },
    'debug merchant-gateway: payouts.create succeeded (1 attempt, 120 ms) outcome=accepted replayed=false status=200 idPayout=order-1',
  ],
  'was retried': [
    { attempts: 3 },
    'warn merchant-gateway: payouts.create succeeded (3 attempts, 120 ms) status=200 idPayout=order-1',
  ],
  'was slow': [
    { durationMs: 12_000, waitedForPermitMs: 11_000, waitedForTokenMs: 500 },
    'warn merchant-gateway: payouts.create succeeded slowly (1 attempt, 12000 ms, 11000 ms of it for a permit, 500 ms of it for a token) status=200 idPayout=order-1',
  ],
  failed: [
    { error: failed, outcome: 'unknown', status: 503, attempts: 5 },
    'error merchant-gateway: payouts.create failed (5 attempts, 120 ms): POST /payouts/{idPayout}: the gateway failed (503); call again. code=server outcome=unknown status=503 idPayout=order-1',
  ],
  'failed as a poll, which comes again': [
    { call: poll, error: failed, status: 503 },
    'warn merchant-gateway: payouts.retrieve failed (1 attempt, 120 ms): POST /payouts/{idPayout}: the gateway failed (503); call again. code=server status=503 idPayout=order-1',
  ],
  'a wait gave up, since a callback told it': [
    { call: poll, error: new AbortedError("the caller's signal fired."), attempts: 0 },
    'debug merchant-gateway: payouts.retrieve was not needed any more (0 attempts, 120 ms) code=aborted status=200 idPayout=order-1',
  ],
}

describe('the line of a call', () => {
  it.each(Object.entries(calls))('that %s', (_name, [ended, line]) => {
    const written = lineOf('merchant-gateway:call:end', { ...good, ...ended }, slowMs)
    expect(`${written?.level} ${written?.text}`).toBe(line)
  })

  it.each([
    ['info', new InvalidInputError('wrong')],
    ['warn', new NotFoundError('not there', { status: 404 })],
    ['error', new ConnectionError('broke')],
    ['error', new TypeError('not one of ours')],
  ])('has the level %s for %s', (level, error) => {
    expect(lineOf('merchant-gateway:call:end', { ...good, error }, slowMs)?.level).toBe(level)
  })

  it('is one line, whatever the gateway or an id says', () => {
    const evil = 'a\r\nerror b\u2028c\u2029d\u0085e\u001b[31mf\u0000g\u007fh\tj\u000bk\u000cl'
    const error = new ServerError(`POST /payouts/{idPayout}: (503) ("${evil}")`, { status: 503 })
    for (const call of [create, { ...create, idPayout: evil }]) {
      const text = lineOf('merchant-gateway:call:end', { ...good, call, error }, slowMs)?.text ?? ''
      expect(text).not.toMatch(/\p{Cc}|\p{Zl}|\p{Zp}/u)
      expect(text).toContain(
        String.raw`a\u000d\u000aerror b\u2028c\u2029d\u0085e\u001b[31mf\u0000g\u007fh\u0009j\u000bk\u000cl`,
      )
    }
  })

  it('does not show the path of a request() that has no template', () => {
    const call = { ...create, name: 'request', pathTemplate: '/customers/{mail}' }
    const error = new ServerError(
      'POST /customers/jana:%20(x)@example.com/1: the gateway failed (503); wait: x.',
      { status: 503 },
    )
    expect(lineOf('merchant-gateway:call:end', { ...good, call, error }, slowMs)?.text).toContain(
      '): POST /customers/{mail}: the gateway failed (503); wait: x.',
    )
  })
})

describe('the line of anything else', () => {
  const attempt = {
    call: create,
    number: 2,
    method: 'GET',
    pathTemplate: '/payouts/{idPayout}',
    retryReason: 'status_404',
    waitedForPermitMs: 30,
    waitedForTokenMs: 0,
  } as const
  const token = { client, scope: 'payouts' } as const
  const pacing = { client, kind: 'pacing' } as const
  const drift = { route: 'GET /balances', issues: ['a: expected string', 'b\nc: expected number'] }

  const end = 'merchant-gateway:attempt:end'
  const tokens = 'merchant-gateway:token'
  const limit = 'merchant-gateway:rate-limit'
  const answered = {
    attempt: { ...attempt, waitedForPermitMs: 0 },
    status: 200,
    outcome: 'answered',
  } as const
  const queued = { client, kind: 'queued', priority: 'customer', depth: 9 } as const
  const callback = { result: 'failed', status: 500, durationMs: 1 } as const
  it.each<readonly [string, Line]>([
    [
      'debug merchant-gateway: payouts.create: GET /payouts/{idPayout} attempt 2 unknown (timeout, 5 ms, after 30 ms for a permit)',
      lineOf(end, { attempt, durationMs: 5, outcome: 'unknown', failure: 'timeout' }, slowMs),
    ],
    [
      'debug merchant-gateway: payouts.create: GET /payouts/{idPayout} attempt 2 answered (status_200, 5 ms)',
      lineOf(end, { ...answered, durationMs: 5 }, slowMs),
    ],
    [
      'debug merchant-gateway: token for payouts minted (good for 900 s)',
      lineOf(tokens, { ...token, kind: 'minted', lifetimeMs: 900_000 }, slowMs),
    ],
    [
      'debug merchant-gateway: token for payouts dropped (evicted)',
      lineOf(tokens, { ...token, kind: 'dropped', why: 'evicted' }, slowMs),
    ],
    [
      'warn merchant-gateway: the gateway refused the kept token for payouts (401), so a new one is minted',
      lineOf(tokens, { ...token, kind: 'dropped', why: 'refused' }, slowMs),
    ],
    [
      "warn merchant-gateway: the gateway's response differs from what this version knows: GET /balances: a: expected string; b\\u000ac: expected number",
      lineOf('merchant-gateway:drift', drift, slowMs),
    ],
    ['nothing of who waits for a permit', lineOf(limit, queued, slowMs)],
    ['nothing of what begins', lineOf('merchant-gateway:call:start', { call: create }, slowMs)],
    ['nothing of a callback', lineOf('merchant-gateway:callback', callback, slowMs)],
  ])('%s', (expected, line) => {
    if (expected.startsWith('nothing')) expect(line).toBeUndefined()
    else expect(`${line?.level} ${line?.text}`).toBe(expected)
  })

  it('spacing warns with what to set, and informs when it is over', () => {
    const even = { ...pacing, from: 'in-windows', to: 'evenly-spaced' } as const
    const line = lineOf('merchant-gateway:rate-limit', even, slowMs)
    expect(line).toMatchObject({ level: 'warn', text: expect.stringContaining("counted: 'evenly-spaced' }") })
    const back = { ...pacing, from: 'evenly-spaced', to: 'in-windows' } as const
    expect(lineOf('merchant-gateway:rate-limit', back, slowMs)?.level).toBe('info')
  })

  it('a pause warns, and says in a field how long it is', () => {
    const paused = { client, kind: 'paused', pauseMs: 1000.4 } as const
    expect(lineOf('merchant-gateway:rate-limit', paused, slowMs)).toMatchObject({
      level: 'warn',
      fields: { event: 'merchant-gateway:rate-limit', pauseMs: 1000 },
    })
  })
})

it('the fields beside a line are one line each, whatever an id or the gateway says', () => {
  const evil = 'a\r\nb\u2028c\u001bd\u202e'
  const seen = String.raw`a\u000d\u000ab\u2028c\u001bd\u202e`
  const ended = { ...good, call: { ...create, idPayout: evil } }
  expect(lineOf('merchant-gateway:call:end', ended, slowMs)?.fields).toMatchObject({ idPayout: seen })
  const drift = { route: 'GET /balances', issues: [evil] }
  expect(lineOf('merchant-gateway:drift', drift, slowMs)?.fields).toMatchObject({ issues: [seen] })
})
