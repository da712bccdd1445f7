import { afterEach, describe, expect, test } from 'vitest'
import type { FaultAction, Sandbox, SandboxServer } from '../../../sandbox/src/index.js'
import { turns, until } from '../../support/turns.js'
import {
  bearer,
  create,
  JSON_HEADERS,
  masterToken,
  ORIGIN,
  outcome,
  paymentBody,
  raw,
  rawRequest,
  stillSandbox,
} from '../support.js'

const route = 'POST /payouts/{idPayout}'
const complete = JSON.stringify({
  paymentRequested: { money: { amount: 100, currencyCode: 'EUR' } },
  paymentMethodResponse: { paymentMethodCode: 'VAPAY', idPayout: 'one' },
})
const half = complete.slice(0, Math.floor(complete.length / 2))

/** Each fault, whether the payout was accepted, and what a client meets: on a socket and in process. */
const table: [name: string, action: FaultAction, accepted: number, onSocket: Seen, inProcess: Seen][] = [
  ['drop-before', { kind: 'drop-before' }, 0, { error: 'ECONNRESET' }, { error: 'ECONNRESET' }],
  ['drop-after', { kind: 'drop-after' }, 1, { error: 'ECONNRESET' }, { error: 'ECONNRESET' }],
  [
    'cut-body',
    { kind: 'cut-body' },
    1,
    { status: 200, body: half },
    { status: 200, body: half, error: 'ECONNRESET' },
  ],
  [
    'status 503',
    { kind: 'status', status: 503, body: { code: 'X' } },
    0,
    ...same({ status: 503, body: '{"code":"X"}' }),
  ],
  [
    'status 500, processed',
    { kind: 'status', status: 500, body: 'no', processed: true },
    1,
    ...same({ status: 500, body: 'no' }),
  ],
  ['status 204', { kind: 'status', status: 204 }, 0, ...same({ status: 204, body: '' })],
  [
    'html',
    { kind: 'html', status: 200 },
    0,
    ...same({ status: 200, body: expect.stringMatching(/^<!DOCTYPE html>/) }),
  ],
  ['mutate', { kind: 'mutate', change: () => 'text' }, 1, ...same({ status: 200, body: '"text"' })],
  [
    'mutate that throws',
    { kind: 'mutate', change: fail },
    1,
    ...same({ status: 500, body: expect.stringContaining('oh') }),
  ],
]

interface Seen {
  status?: number
  body?: unknown
  error?: string
}

function same(seen: Seen): [Seen, Seen] {
  return [seen, seen]
}

function fail(): never {
  throw new Error('oh')
}

const open: (Sandbox | SandboxServer)[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function listening(sandbox: Sandbox): Promise<SandboxServer> {
  const server = await sandbox.listen()
  open.push(sandbox)
  return server
}

async function createOnWire(sandbox: Sandbox): Promise<string> {
  const headers = { ...bearer(await masterToken(sandbox)), 'content-type': 'application/json' }
  return rawRequest('POST', '/payouts/one', headers, paymentBody())
}

describe('faults on sockets', () => {
  test.each(table)('%s', async (_name, action, accepted, expected) => {
    const sandbox = stillSandbox()
    const { port } = await listening(sandbox)
    sandbox.fault({ route, action })
    const { text, error } = await raw(port, await createOnWire(sandbox))
    const [head = '', body] = text.split('\r\n\r\n')
    const status = /^HTTP\/1.1 (\d+)/.exec(head)?.[1]
    const seen = {
      ...(error === undefined ? {} : { error }),
      ...(status === undefined ? {} : { status: Number(status), body }),
    }
    expect(seen).toEqual(expected)
    expect(sandbox.payouts.size).toBe(accepted)
    if (action.kind === 'cut-body') expect(head).toContain(`content-length: ${complete.length}`)
  })

  test.each<[FaultAction, number, RegExp]>([
    [{ kind: 'timeout' }, 0, /^$/],
    [{ kind: 'timeout', processed: true }, 1, /^$/],
    [{ kind: 'stall-body' }, 1, new RegExp(`\r\n\r\n${half.replaceAll(/[{}"]/g, '.')}$`)],
  ])('%j holds the connection until the sandbox is closed', async (action, accepted, expected) => {
    const sandbox = stillSandbox()
    const { port } = await listening(sandbox)
    sandbox.fault({ route, action })
    const held = raw(port, await createOnWire(sandbox))
    await until(() => sandbox.requests.at(-1)?.fault !== undefined && sandbox.payouts.size === accepted)
    await turns(5)
    await sandbox.close()
    expect((await held).text).toMatch(expected)
  })
})

describe('faults in process', () => {
  test.each(table)('%s', async (_name, action, accepted, _onSocket, expected) => {
    const sandbox = stillSandbox()
    const token = await masterToken(sandbox)
    sandbox.fault({ route, action })
    expect(await meet(() => sandbox.fetch(`${ORIGIN}/payouts/one`, create(token)))).toEqual(expected)
    expect(sandbox.payouts.size).toBe(accepted)
  })

  test('a reset is a TypeError with a cause, as from the global fetch', async () => {
    const sandbox = stillSandbox()
    sandbox.fault({ route: '*', action: { kind: 'drop-before' } })
    const error = await sandbox.fetch(ORIGIN).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } })
  })

  test.each<[FaultAction['kind'], number]>([
    ['timeout', 0],
    ['stall-body', 1],
  ])('%s lasts until the caller aborts', async (kind, accepted) => {
    const sandbox = stillSandbox()
    const token = await masterToken(sandbox)
    sandbox.fault({ route, action: kind === 'timeout' ? { kind } : { kind: 'stall-body' } })
    const abort = new AbortController()
    const call = meet(() =>
      sandbox.fetch(`${ORIGIN}/payouts/one`, { ...create(token), signal: abort.signal }),
    )
    await turns(5)
    expect(sandbox.payouts.size).toBe(accepted)
    abort.abort(Object.assign(new Error('enough'), { code: 'ENOUGH' }))
    expect(await call).toEqual(
      kind === 'timeout' ? { error: 'ENOUGH' } : { status: 200, body: half, error: 'ENOUGH' },
    )
  })

  test('a stall ends when the sandbox is closed, and afterwards nobody answers', async () => {
    const sandbox = stillSandbox()
    sandbox.fault({ route: '*', times: 2, action: { kind: 'timeout' } })
    const calls = [meet(() => sandbox.fetch(ORIGIN)), meet(() => sandbox.fetch(ORIGIN))]
    await turns(5)
    await sandbox.close()
    expect(await Promise.all(calls)).toEqual([{ error: 'ECONNRESET' }, { error: 'ECONNRESET' }])
    expect(await meet(() => sandbox.fetch(ORIGIN))).toEqual({ error: 'ECONNREFUSED' })
  })

  test('a caller who has aborted before asks nothing', async () => {
    const sandbox = stillSandbox()
    await expect(
      sandbox.fetch(ORIGIN, { signal: AbortSignal.abort(new Error('never mind')) }),
    ).rejects.toThrow('never mind')
    expect(sandbox.requests).toEqual([])
  })

  test('leaves no listener on a signal that many calls share', async () => {
    const sandbox = stillSandbox()
    const { signal } = new AbortController()
    let listeners = 0
    const request = () => {
      const made = new Request(`${ORIGIN}/balances`, { headers: JSON_HEADERS })
      Object.defineProperty(made, 'signal', { value: signal })
      return made
    }
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1
      addEventListener.apply(signal, args)
    }
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1
      removeEventListener.apply(signal, args)
    }
    for (let count = 0; count < 5; count += 1) await sandbox.fetch(request())
    await turns(2)
    expect(listeners).toBe(0)
  })
})

describe('a delay', () => {
  test.each([
    ['on-arrival', 1],
    ['late', 0],
  ] as const)(
    'that processes %s has accepted %d payouts before its time is over',
    async (processed, accepted) => {
      const sandbox = stillSandbox()
      const token = await masterToken(sandbox)
      sandbox.fault({ route, action: { kind: 'delay', ms: 5000, processed } })
      const call = sandbox.fetch(`${ORIGIN}/payouts/one`, create(token))
      await turns(5)
      expect(sandbox.payouts.size).toBe(accepted)
      await sandbox.clock.advance(4999)
      expect(sandbox.payouts.size).toBe(accepted)
      await sandbox.clock.advance(1)
      expect((await call).status).toBe(200)
      expect(sandbox.payouts.size).toBe(1)
    },
  )
})

describe('aiming a fault', () => {
  const action: FaultAction = { kind: 'status', status: 599 }
  const statuses = async (sandbox: Sandbox, ...paths: string[]) => {
    const headers = bearer(await masterToken(sandbox))
    const result: number[] = []
    for (const path of paths) result.push((await sandbox.fetch(ORIGIN + path, { headers })).status)
    return result
  }

  test('by route: others do not meet it', async () => {
    const sandbox = stillSandbox()
    sandbox.fault({ route: 'GET /payins/{idPayin}', times: Number.POSITIVE_INFINITY, action })
    const paths = ['/balances', '/payins/x', '/payouts/x', '/payins/y', '/payins/x/customer-account']
    expect(await statuses(sandbox, ...paths)).toEqual([200, 599, 404, 599, 404])
  })

  test('by payment: only its id meets it', async () => {
    const sandbox = stillSandbox()
    sandbox.fault({ route: '*', id: 'a b', times: 9, action })
    expect(await statuses(sandbox, '/payins/a', '/payins/a%20b', '/payouts/a%20b', '/balances')).toEqual([
      404, 599, 599, 200,
    ])
  })

  test('by count: skip lets some pass, times says how many it hits, once by default', async () => {
    const sandbox = stillSandbox()
    const once = sandbox.fault({ route: 'GET /balances', action })
    expect(await statuses(sandbox, '/balances', '/balances')).toEqual([599, 200])
    const later = sandbox.fault({ route: 'GET /balances', skip: 1, times: 2, action })
    expect(await statuses(sandbox, ...Array(5).fill('/balances'))).toEqual([200, 599, 599, 200, 200])
    expect([once.hits, later.hits]).toEqual([1, 2])
  })

  test('until it is removed, or all are', async () => {
    const sandbox = stillSandbox()
    const arm = () => sandbox.fault({ route: 'GET /balances', times: Number.POSITIVE_INFINITY, action })
    const first = arm()
    expect(await statuses(sandbox, '/balances')).toEqual([599])
    first.remove()
    expect(await statuses(sandbox, '/balances')).toEqual([200])
    arm()
    arm()
    sandbox.clearFaults()
    expect(await statuses(sandbox, '/balances')).toEqual([200])
  })

  test('one request meets one fault, the oldest first', async () => {
    const sandbox = stillSandbox()
    sandbox.fault({ route: '*', skip: 1, action: { kind: 'status', status: 501 } })
    sandbox.fault({ route: 'GET /balances', action: { kind: 'status', status: 502 } })
    // The token request was the one that the first lets pass.
    expect(await statuses(sandbox, '/balances', '/balances', '/balances')).toEqual([501, 502, 200])
  })

  test('a request that is not processed is not counted by the limiter', async () => {
    const sandbox = stillSandbox({ rateLimit: 1 })
    sandbox.fault({ route: 'GET /balances', action })
    expect((await sandbox.fetch(`${ORIGIN}/balances`)).status).toBe(599)
    expect((await sandbox.fetch(`${ORIGIN}/balances`)).status).toBe(404)
    expect((await sandbox.fetch(`${ORIGIN}/balances`)).status).toBe(429)
  })

  test('a mutation gets a copy of the answer and leaves the sandbox as it was', async () => {
    const sandbox = stillSandbox()
    const headers = bearer(await masterToken(sandbox))
    const change = (json: unknown) => Object.assign(Object(json), { extra: { field: null } })
    sandbox.fault({ route: 'GET /merchant-info', action: { kind: 'mutate', change } })
    const read = async () => (await outcome(sandbox.fetch(`${ORIGIN}/merchant-info`, { headers }))).json
    expect(await read()).toEqual({ channelInfo: { name: 'Sandbox Shop' }, extra: { field: null } })
    expect(await read()).toEqual({ channelInfo: { name: 'Sandbox Shop' } })
  })

  test.each<[string, object]>([
    ['route', { route: 'GET /payins' }],
    ['times', { times: 0 }],
    ['skip', { skip: -1 }],
    ['action', { action: { kind: 'explode' } }],
    ['action', { action: undefined }],
    ['ms', { action: { kind: 'delay' } }],
    ['status', { action: { kind: 'status', status: 99 } }],
    ['change', { action: { kind: 'mutate' } }],
    ['probability', { probability: 1.1 }],
    ['probability', { probability: Number.NaN }],
    ['jitterMs', { action: { kind: 'delay', ms: 1, jitterMs: -1 } }],
    ['retryAfterSecs', { action: { kind: 'rate-limit', retryAfterSecs: 0.5 } }],
    ['ms', { action: { kind: 'hide' } }],
    ['ms', { action: { kind: 'skew-clock', ms: Number.NaN, forMs: 1 } }],
    ['forMs', { action: { kind: 'skew-clock', ms: 1 } }],
  ])('a fault with a wrong %s is refused at once: %j', (name, wrong) => {
    const fault = Object.assign({ route: '*' as const, action }, wrong)
    expect(() => stillSandbox().fault(fault)).toThrow(name)
  })
})

async function meet(call: () => Promise<Response>): Promise<Seen> {
  const seen: Seen = {}
  try {
    const response = await call()
    seen.status = response.status
    seen.body = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) seen.body += decoder.decode(chunk)
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    seen.error = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
  }
  return seen
}
