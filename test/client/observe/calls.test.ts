import { describe, expect, it } from 'vitest'
import { accept, found, handMadeGateway, json, type Reply, reset, stall, text } from '../../faults/servers.js'
import { clientOf, create, failure } from '../../faults/support.js'
import { until } from '../../support/turns.js'
import { fn, Listening, ms } from './support.js'

const once = { durationMs: ms, waitedForPermitMs: ms, waitedForTokenMs: ms }

/** One create against a gateway that answers so, and all that was told of it. */
async function payin(
  script: Parameters<typeof handMadeGateway>[0],
  options: Parameters<typeof clientOf>[2] = {},
) {
  await using gateway = await handMadeGateway(script)
  await using client = clientOf(gateway.url, 'undici', options)
  using heard = new Listening()
  const error = await create(client, 'payin').then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  const { port } = new URL(gateway.url)
  const at = { serverAddress: '127.0.0.1', serverPort: Number(port), basePath: '' }
  return { heard, error, at, ...heard.of('payins.create') }
}

const brief = (heard: Listening) =>
  heard.attemptsEnded
    .filter(({ attempt }) => attempt.call.name === 'payins.create')
    .map(({ attempt: { number, method, pathTemplate, retryReason }, status, outcome, failure }) => {
      const asked = `${number} ${method} ${pathTemplate} ${retryReason ?? 'first'}`
      return `${asked}: ${outcome} ${status ?? '-'} ${failure ?? '-'}`
    })

describe('a create that succeeds', () => {
  it('tells of the call, of the token that it needs, and of their requests, in order', async () => {
    const { heard, at } = await payin({ create: [accept] }, { rateLimit: false })
    const call = {
      client: at,
      name: 'payins.create',
      method: 'POST',
      pathTemplate: '/payins/{idPayin}',
      priority: 'customer',
      idPayin: 'order-1',
    }
    const mint = {
      client: at,
      name: 'tokens.mint',
      method: 'POST',
      pathTemplate: '/auth-tokens',
      priority: 'token',
    }
    const request = { number: 1, method: 'POST', waitedForPermitMs: ms, waitedForTokenMs: ms }
    const mintRequest = { call: mint, ...request, pathTemplate: '/auth-tokens' }
    const createRequest = { call, ...request, pathTemplate: '/payins/{idPayin}' }
    const good = { setHeader: fn, durationMs: ms, status: 200, outcome: 'answered', result: undefined }
    expect(heard.all.map(({ name, event }) => ({ name, ...event }))).toStrictEqual([
      { name: 'merchant-gateway:call:start', call },
      { name: 'merchant-gateway:call:start', call: mint },
      { name: 'merchant-gateway:attempt:start', attempt: mintRequest, setHeader: fn },
      { name: 'merchant-gateway:attempt:end', attempt: mintRequest, ...good },
      { name: 'merchant-gateway:call:end', call: mint, ...once, attempts: 1, status: 200, result: undefined },
      { name: 'merchant-gateway:token', client: at, kind: 'minted', scope: 'payins', lifetimeMs: ms },
      { name: 'merchant-gateway:attempt:start', attempt: createRequest, setHeader: fn },
      { name: 'merchant-gateway:attempt:end', attempt: createRequest, ...good },
      {
        name: 'merchant-gateway:call:end',
        call,
        ...once,
        attempts: 1,
        status: 200,
        outcome: 'accepted',
        replayed: false,
        // Node's own field: of a call it would be a customer's payment.
        result: undefined,
      },
    ])
  })

  it('has the same objects on all its events, so that each can be the key of a WeakMap', async () => {
    const { heard, started, ended, attemptsStarted, attemptsEnded } = await payin({ create: [accept] })
    expect(ended[0]?.call).toBe(started[0]?.call)
    expect(attemptsStarted[0]?.attempt.call).toBe(started[0]?.call)
    expect(attemptsEnded[0]?.attempt).toBe(attemptsStarted[0]?.attempt)
    expect(heard.tokens[0]?.client).toBe(started[0]?.call.client)
    expect(heard.callsStarted[1]?.call.client).toBe(started[0]?.call.client)
    // And it has waited for its token.
    expect(ended[0]?.waitedForTokenMs).toBeGreaterThan(0)
    expect(ended[0]?.waitedForTokenMs).toBe(attemptsStarted[0]?.attempt.waitedForTokenMs)
  })
})

describe('a create that is tried again', () => {
  // What is said of each failure: test/client/http/failures.test.ts.
  it.each<readonly [string, Reply, string, string]>([
    ['a 429', json(429, {}, { 'retry-after': '0' }), 'refused 429 status_429', 'status_429'],
    ['a 401', json(401, {}), 'refused 401 status_401', 'token_refused'],
    ['silence', stall, 'unknown - timeout', 'timeout'],
  ])(
    'after %s says what came of each request, and why it is sent again',
    async (_name, first, end, reason) => {
      const { heard, error, ended } = await payin({ create: [first, accept] }, { timeoutMs: 300 })
      expect(error).toBeUndefined()
      expect(brief(heard)).toEqual([
        `1 POST /payins/{idPayin} first: ${end}`,
        `2 POST /payins/{idPayin} ${reason}: answered 200 -`,
      ])
      expect(ended).toMatchObject([{ attempts: 2, status: 200, outcome: 'accepted', replayed: false }])
    },
  )

  it('after a 401 drops the token that was refused, once it is not new any more, and mints another', async () => {
    const refused = json(401, {})
    const { heard } = await payin({ create: Array(20).fill(refused) })
    expect(heard.tokens.map(({ kind, scope, why }) => ({ kind, scope, why })).slice(0, 3)).toEqual([
      { kind: 'minted', scope: 'payins', why: undefined },
      { kind: 'dropped', scope: 'payins', why: 'refused' },
      { kind: 'minted', scope: 'payins', why: undefined },
    ])
  })
})

describe('a create that fails', () => {
  it.each<readonly [string, Reply, string, string]>([
    ['that is refused', json(422, {}), 'refused 422 status_422', 'not-accepted'],
    ['whose response is no JSON', text(200, 'hello'), 'unusable 200 unusable', 'unknown'],
    ['whose response is too large', text(200, ' '.repeat(3000)), 'unusable 200 too_large', 'unknown'],
    ['whose connection broke', reset, 'unknown - connection', 'unknown'],
  ])('%s ends with the error that the caller gets', async (_name, first, end, outcome) => {
    const { heard, error, ended } = await payin({ create: [first] }, { retries: 0, maxResponseBytes: 2000 })
    expect(brief(heard)).toEqual([`1 POST /payins/{idPayin} first: ${end}`])
    expect(ended).toMatchObject([{ attempts: 1, outcome }])
    expect(ended[0]?.error).toBe(error)
    expect(ended[0]).not.toHaveProperty('replayed')
  })

  it('before its token came has no request of its own, and the status of the token request', async () => {
    const { heard, error, ended, attemptsStarted } = await payin({ token: [json(401, {})] })
    expect(attemptsStarted).toEqual([])
    expect(ended).toMatchObject([{ attempts: 0, status: 401, outcome: 'not-accepted' }])
    expect(ended[0]?.error).toBe(error)
    expect(heard.of('tokens.mint').ended).toMatchObject([
      // Twice, the second time with other bytes.
      { attempts: 2, status: 401, error: { code: 'authentication' } },
    ])
  })

  it('because its signer did says so on the token request', async () => {
    const signer = { sign: () => Promise.reject(new Error('no key')) }
    const { heard } = await payin({}, { signer })
    expect(heard.attemptsEnded).toMatchObject([{ outcome: 'unsent', failure: 'signing' }])
    expect(heard.attemptsEnded[0]).not.toHaveProperty('status')
  })
})

describe('a create whose id is taken', () => {
  const taken = { create: [json(409, {})] }

  it('by this very payment is one call with two requests', async () => {
    const { heard, started, ended } = await payin({
      ...taken,
      lookUp: [json(404, {}), json(200, found('payin'))],
    })
    expect(brief(heard)).toEqual([
      '1 POST /payins/{idPayin} first: answered 409 -',
      '1 GET /payins/{idPayin} first: refused 404 status_404',
      '2 GET /payins/{idPayin} not_found: answered 200 -',
    ])
    expect(started).toHaveLength(1)
    expect(ended).toMatchObject([{ attempts: 3, status: 200, outcome: 'accepted', replayed: true }])
    expect(ended[0]).not.toHaveProperty('error')
  })

  it('by another payment ends with the conflict', async () => {
    const other = json(200, found('payin', 'order-1', 99))
    const { error, ended } = await payin({ ...taken, lookUp: [other] })
    expect(ended).toMatchObject([
      { attempts: 2, status: 409, outcome: 'accepted', error: { code: 'idempotency_conflict' } },
    ])
    expect(ended[0]?.error).toBe(error)
    expect(ended[0]).not.toHaveProperty('replayed')
  })
})

describe('a call', () => {
  it('whose token was kept has not waited for one', async () => {
    await using gateway = await handMadeGateway({ create: [accept] })
    await using client = clientOf(gateway.url, 'undici')
    await create(client, 'payin')
    using heard = new Listening()
    await create(client, 'payin')
    expect(heard.attemptsEnded).toMatchObject([{ attempt: { waitedForTokenMs: 0 } }])
    expect(heard.callsEnded).toMatchObject([{ waitedForTokenMs: 0 }])
  })

  it('for a token of the caller ends with the error that the caller gets', async () => {
    await using gateway = await handMadeGateway({ token: [json(422, {})] })
    await using client = clientOf(gateway.url, 'undici')
    using heard = new Listening()
    const error = await failure(client.authTokens.create({ operations: ['GET /x'] }))
    expect(heard.callsEnded[0]?.error).toBe(error)
  })
})

describe('a call that its caller ends', () => {
  it('while it waits for the response has a request with an end', async () => {
    await using gateway = await handMadeGateway({ lookUp: [stall] })
    await using client = clientOf(gateway.url, 'undici')
    using heard = new Listening()
    const ending = new AbortController()
    const reading = failure(client.payouts.retrieve('order-1', { signal: ending.signal }))
    await until(() => gateway.requests.length >= 2)
    ending.abort()
    expect(await reading).toMatchObject({ code: 'aborted' })
    const { ended, attemptsEnded } = heard.of('payouts.retrieve')
    expect(attemptsEnded).toMatchObject([{ outcome: 'unknown', failure: 'aborted' }])
    expect(ended).toMatchObject([{ attempts: 1, error: { code: 'aborted' }, call: { idPayout: 'order-1' } }])
  })
})

describe('the client that events are about', () => {
  it.each([
    ['https://gateway.example', 'gateway.example', 443, ''],
    ['http://localhost', 'localhost', 80, ''],
    ['https://gateway.example:8443/api', 'gateway.example', 8443, '/api'],
    ['http://[::1]:3000', '::1', 3000, ''],
  ])('at %s is %s, port %i', async (baseUrl, serverAddress, serverPort, basePath) => {
    await using client = clientOf(baseUrl, 'fetch', { fetch: () => Promise.reject(new Error()), retries: 0 })
    using heard = new Listening()
    await failure(client.balances.list())
    expect(heard.callsStarted[0]?.call.client).toStrictEqual({ serverAddress, serverPort, basePath })
  })
})
