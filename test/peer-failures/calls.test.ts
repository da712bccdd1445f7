import { afterEach, describe, expect, test, vi } from 'vitest'
import { fetchGateway } from '../faults/fetch-gateway.js'
import { accept, found, handMadeGateway, json, reset, stall, stallBody, text } from '../faults/servers.js'
import { clientOf, create, failure, idField, matrix } from '../faults/support.js'

afterEach(() => {
  vi.useRealTimers()
})

describe.each(matrix)('a $kind over $transport', ({ kind, transport }) => {
  const id = { [idField(kind)]: 'order-1' }

  test('PEER 1: a signer that rejects settles every call with its cause, and nothing is left unhandled', async () => {
    const unhandled: unknown[] = []
    const onUnhandled = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', onUnhandled)
    await using gateway = await handMadeGateway({})
    const cause = new Error('the HSM is locked')
    await using client = clientOf(gateway.url, transport, { signer: { sign: () => Promise.reject(cause) } })
    const errors = await Promise.all(Array.from({ length: 5 }, () => failure(create(client, kind))))
    for (const error of errors) {
      expect({ ...error, name: error.name }).toMatchObject({
        name: 'SigningError',
        outcome: 'not-accepted',
        ...id,
      })
      expect(String(error.cause)).toContain('the HSM is locked')
    }
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', onUnhandled)
    expect(unhandled).toEqual([])
    expect(gateway.requests).toEqual([])
  })

  test('PEER 2: a 200 whose body stalls ends at timeoutMs', async () => {
    await using gateway = await handMadeGateway({ create: [stallBody()] })
    await using client = clientOf(gateway.url, transport)
    const error = await failure(create(client, kind, {}, { timeoutMs: 100, retries: 0 }))
    expect({ ...error, name: error.name }).toMatchObject({ name: 'TimeoutError', ...id })
    expect(error.outcome).toBe('unknown')
    expect(error.message).toContain('timeoutMs (100 ms)')
  })

  test('PEER 2: a body that comes drop by drop ends at timeoutMs, too', async () => {
    await using gateway = await handMadeGateway({
      create: [
        (response) => {
          response.writeHead(200, { 'content-type': 'application/json' })
          const dripping = setInterval(() => response.write(' '), 10)
          response.on('close', () => clearInterval(dripping))
        },
      ],
    })
    await using client = clientOf(gateway.url, transport)
    expect((await failure(create(client, kind, {}, { timeoutMs: 100, retries: 0 }))).name).toBe(
      'TimeoutError',
    )
  })

  test('PEER 3: a connection that is reset has a cause, a code, and the id of the payment', async () => {
    await using gateway = await handMadeGateway({ create: [reset] })
    await using client = clientOf(gateway.url, transport, { retries: 0 })
    const error = await failure(create(client, kind))
    expect(error).toMatchObject({ code: 'connection', outcome: 'unknown', attempts: 1, ...id })
    expect(error.status).toBeUndefined()
    const codes: unknown[] = []
    for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
      if ('code' in cause) codes.push(cause.code)
    }
    expect(codes.some((code) => code === 'ECONNRESET' || code === 'UND_ERR_SOCKET')).toBe(true)
  })

  test('PEER 4: a 502 with a page is a server error with the first bytes of the page', async () => {
    await using gateway = await handMadeGateway({
      create: [text(502, '<html><h1>502 Bad Gateway</h1></html>')],
    })
    await using client = clientOf(gateway.url, transport, { retries: 0 })
    const error = await failure(create(client, kind))
    expect({ ...error, name: error.name }).toMatchObject({
      name: 'ServerError',
      status: 502,
      bodyStart: expect.stringContaining('502 Bad Gateway'),
      ...id,
    })
  })

  test('PEER 5: a signal before and after sending gives errors that differ', async () => {
    const controller = new AbortController()
    await using gateway = await handMadeGateway({ create: [() => controller.abort()] })
    await using client = clientOf(gateway.url, transport)
    const before = await failure(create(client, kind, {}, { signal: AbortSignal.abort() }))
    expect(before).toMatchObject({ code: 'aborted', outcome: 'not-accepted', ...id })
    expect(gateway.requests).toEqual([])
    const after = await failure(create(client, kind, {}, { signal: controller.signal }))
    expect(after).toMatchObject({ code: 'aborted', outcome: 'unknown', ...id })
    expect(before.message).toContain('before anything was sent')
    expect(after.message).not.toContain('before anything was sent')
  })

  test('PEER 6: a 409 is asked about, and never sent again', async () => {
    await using gateway = await handMadeGateway({
      create: [json(409, {}), accept],
      lookUp: [json(200, found(kind))],
    })
    await using client = clientOf(gateway.url, transport, { retries: 4 })
    expect(await create(client, kind)).toMatchObject({ replayed: true, ...id })
    const path = `/${kind}s/order-1`
    expect(gateway.requests.map((request) => `${request.method} ${request.path}`)).toEqual([
      'POST /auth-tokens',
      `POST ${path}`,
      `GET ${path}`,
    ])
  })

  test('PEER 6: a 409 to a token request or a look-up is not sent again either', async () => {
    await using gateway = await handMadeGateway({
      token: [json(409, {}), json(200, { token: 'a.b.c' })],
      lookUp: [json(409, {})],
    })
    await using client = clientOf(gateway.url, transport, { retries: 4 })
    expect(await failure(create(client, kind))).toMatchObject({ status: 409, outcome: 'not-accepted' })
    expect(await failure(client.payouts.retrieve('x'))).toMatchObject({
      code: 'invalid_request',
      status: 409,
    })
    expect(gateway.requests.length).toBe(3)
  })
})

describe('PEER 8: Retry-After is never shortened', () => {
  test.each([
    [429, '61', 61_000],
    [503, '61', 61_000],
    [500, '2', 2000],
    [429, '2', 2000],
    [503, 'in 90 s, as a date', 90_000],
    [429, '0', 0],
  ])('%d with %s', async (status, header, ms) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
    vi.setSystemTime(1_800_000_000_000)
    const date = new Date(Date.now() + 90_000).toUTCString()
    let tries = 0
    const { fetch, arrivals } = fetchGateway(() =>
      tries++ === 0
        ? Response.json({}, { status, headers: { 'retry-after': header.includes('date') ? date : header } })
        : Response.json(found('payout')),
    )
    const client = clientOf('https://gateway.example', 'undici', { fetch, deadlineMs: 120_000 })
    const call = client.payouts.retrieve('order-1')
    await vi.advanceTimersByTimeAsync(Math.max(0, ms - 1))
    expect(arrivals.filter(({ method }) => method === 'GET').length).toBe(1)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await call).toEqual(found('payout'))
    const [first = 0, second = 0] = arrivals.filter(({ method }) => method === 'GET').map(({ atMs }) => atMs)
    expect(second - first).toBeGreaterThanOrEqual(ms)
    await client.close()
  })

  test('a year in one header costs a minute, and neither the call nor the client', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
    let tries = 0
    const { fetch, arrivals } = fetchGateway(() =>
      tries++ === 0
        ? Response.json({}, { status: 429, headers: { 'retry-after': '31536000' } })
        : Response.json(found('payout')),
    )
    const client = clientOf('https://gateway.example', 'undici', { fetch, deadlineMs: 120_000 })
    const call = client.payouts.retrieve('order-1')
    await vi.advanceTimersByTimeAsync(50_000)
    const other = client.payouts.retrieve('order-1', { deadlineMs: 11_000 })
    await vi.advanceTimersByTimeAsync(9_000)
    expect(arrivals.filter(({ method }) => method === 'GET').length).toBe(1)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await Promise.all([call, other])).toEqual([found('payout'), found('payout')])
    await client.close()
  })

  test('asked for again and again, the gateway is tried once a minute until the deadline, which says so', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
    const { fetch, arrivals } = fetchGateway(() =>
      Response.json({}, { status: 429, headers: { 'retry-after': '31536000' } }),
    )
    const client = clientOf('https://gateway.example', 'undici', { fetch, deadlineMs: 600_000 })
    const call = failure(client.payouts.retrieve('order-1'))
    await vi.advanceTimersByTimeAsync(600_000)
    expect(await call).toMatchObject({ code: 'rate_limit', status: 429, retryAfterMs: 31_536_000_000 })
    const at = arrivals.filter(({ method }) => method === 'GET').map(({ atMs }) => atMs)
    expect(at.length).toBe(10)
    for (const [n, ms] of at.slice(1).entries()) expect(ms - (at[n] ?? 0)).toBeGreaterThanOrEqual(60_000)
    await client.close()
  })

  test('longer than the call may take: it fails at once and carries it', async () => {
    await using gateway = await handMadeGateway({ lookUp: [json(429, {}, { 'retry-after': '61' }), stall] })
    await using client = clientOf(gateway.url, 'undici', { retries: 4, deadlineMs: 30_000 })
    expect(await failure(client.payins.retrieve('x'))).toMatchObject({
      code: 'rate_limit',
      retryAfterMs: 61_000,
      attempts: 1,
    })
    // And whoever comes in that minute is told so, and sends nothing.
    expect(await failure(client.payins.retrieve('y'))).toMatchObject({ code: 'rate_limit', attempts: 0 })
    expect(gateway.requests.length).toBe(2)
  })
})
