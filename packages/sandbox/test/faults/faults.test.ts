import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { turns, until } from '../../../../test/support/turns.js'
import type { CallbackFaultOptions, FaultAction, Sandbox, SandboxServer } from '../../src/index.js'
import {
  bearer,
  codeOf,
  JSON_HEADERS,
  masterToken,
  ORIGIN,
  outcome,
  paymentBody,
  raw,
  rawRequest,
  stillSandbox,
} from '../support.js'
import { meet, merchant, type Seen } from './merchant.js'

const route = 'POST /payouts/{idPayout}'
const look = 'GET /payouts/{idPayout}'
const complete = JSON.stringify({
  paymentRequested: { money: { amount: 100, currencyCode: 'EUR' } },
  paymentMethodResponse: { paymentMethodCode: 'VAPAY', idPayout: 'one' },
})
const half = complete.slice(0, Math.floor(complete.length / 2))
const extra = { addedLater: { list: [1, 'two', null], flag: true }, addedToo: null }

/** Each fault of a create, whether the payout was accepted, and what a client meets. */
const table: [action: FaultAction, accepted: number, seen: Seen, inProcess?: Seen][] = [
  [{ kind: 'drop-before' }, 0, { error: 'ECONNRESET' }],
  [{ kind: 'drop-after' }, 1, { error: 'ECONNRESET' }],
  [{ kind: 'cut-body' }, 1, { status: 200, body: half }, { status: 200, body: half, error: 'ECONNRESET' }],
  [{ kind: 'status', status: 503, body: { code: 'X' } }, 0, { status: 503, body: '{"code":"X"}' }],
  [{ kind: 'status', status: 500, body: 'no', processed: true }, 1, { status: 500, body: 'no' }],
  [{ kind: 'status', status: 204 }, 0, { status: 204, body: '' }],
  [{ kind: 'html', status: 200 }, 0, { status: 200, body: expect.stringMatching(/^<!DOCTYPE html>/) }],
  [{ kind: 'html', processed: true }, 1, { status: 502, body: expect.stringContaining('proxy') }],
  [{ kind: 'mutate', change: () => 'text' }, 1, { status: 200, body: '"text"' }],
  [{ kind: 'mutate', change: fail }, 1, { status: 500, body: expect.stringContaining('oh') }],
  [{ kind: 'overtaken' }, 1, { status: 409, body: expect.stringContaining('ALREADY_ACCEPTED') }],
  [{ kind: 'rate-limit' }, 0, { status: 429, body: expect.stringContaining('TOO_MANY_REQUESTS') }],
  [{ kind: 'revoke-token' }, 0, { status: 401, body: expect.stringContaining('TOKEN_REVOKED') }],
  [{ kind: 'null-for-string' }, 1, { status: 200, body: complete.replace('"VAPAY"', 'null') }],
  [
    { kind: 'null-for-string', field: 'paymentRequested.money.amount' },
    1,
    { status: 500, body: expect.stringContaining('no string at paymentRequested.money.amount') },
  ],
]

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
  test.each(table)('%j', async (action, accepted, expected) => {
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
  test.each(table)('%j', async (action, accepted, onSocket, expected = onSocket) => {
    const { sandbox, send } = await merchant()
    const fault = sandbox.fault({ route, action })
    expect(await meet(send())).toEqual(expected)
    expect([sandbox.payouts.size, fault.hits]).toEqual([accepted, 1])
  })

  test('a reset is a TypeError with a cause, as from the global fetch', async () => {
    const sandbox = stillSandbox()
    sandbox.fault({ route: '*', action: { kind: 'drop-before' } })
    const error = await sandbox.fetch(ORIGIN).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } })
  })

  test.each<[FaultAction, number, Seen]>([
    [{ kind: 'timeout' }, 0, {}],
    [{ kind: 'timeout', processed: true }, 1, {}],
    [{ kind: 'stall-body' }, 1, { status: 200, body: half }],
  ])('%j lasts until the caller aborts', async (action, accepted, expected) => {
    const { sandbox, send } = await merchant()
    sandbox.fault({ route, action })
    const abort = new AbortController()
    const call = meet(send('one', { signal: abort.signal }))
    await turns(5)
    expect(sandbox.payouts.size).toBe(accepted)
    const error = new Error('enough')
    abort.abort(error)
    expect(await call).toEqual({ ...expected, error })
  })

  test('a stall ends when the sandbox is closed, and afterwards nobody answers', async () => {
    const sandbox = stillSandbox()
    sandbox.fault({ route: '*', times: 2, action: { kind: 'timeout' } })
    const calls = [meet(sandbox.fetch(ORIGIN)), meet(sandbox.fetch(ORIGIN))]
    await turns(5)
    await sandbox.close()
    expect(await Promise.all(calls)).toEqual([{ error: 'ECONNRESET' }, { error: 'ECONNRESET' }])
    expect(await meet(sandbox.fetch(ORIGIN))).toEqual({ error: 'ECONNREFUSED' })
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
    for (let count = 0; count < 5; count += 1) {
      const request = new Request(`${ORIGIN}/balances`, { headers: JSON_HEADERS })
      Object.defineProperty(request, 'signal', { value: signal })
      await sandbox.fetch(request)
    }
    await turns(2)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('a delay', () => {
  test.each([
    ['on-arrival', 1],
    ['late', 0],
  ] as const)(
    'that processes %s has accepted %d payouts before its time is over',
    async (processed, accepted) => {
      const { sandbox, send } = await merchant()
      sandbox.fault({ route, action: { kind: 'delay', ms: 5000, processed } })
      const call = send()
      await turns(5)
      expect(sandbox.payouts.size).toBe(accepted)
      await sandbox.clock.advance(4999)
      expect(sandbox.payouts.size).toBe(accepted)
      await sandbox.clock.advance(1)
      expect((await call).status).toBe(200)
      expect(sandbox.payouts.size).toBe(1)
    },
  )

  test('has jitter on top of it', async () => {
    const { sandbox, send } = await merchant({ seed: 'jitter' })
    sandbox.fault({ route, action: { kind: 'delay', ms: 1000, jitterMs: 1000 } })
    let answered = false
    const call = send().then(() => {
      answered = true
    })
    await turns(1)
    await sandbox.clock.advance(1000)
    expect(answered).toBe(false)
    await sandbox.clock.advance(1000)
    await call
  })
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

  test('by create: a create of a payin or payout meets it, and neither its token nor a status request', async () => {
    const sandbox = stillSandbox()
    const headers = bearer(await masterToken(sandbox))
    sandbox.fault({ route: 'create', times: Number.POSITIVE_INFINITY, action })
    const statusOf = async (method: string, path: string) =>
      (await sandbox.fetch(ORIGIN + path, { method, headers })).status
    expect(await statusOf('POST', '/payins/x')).toBe(599)
    expect(await statusOf('POST', '/payouts/x')).toBe(599)
    expect(await statuses(sandbox, '/payins/x', '/balances')).toEqual([404, 200])
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

  test('a fault hits only the requests for which match returns true, and a delay ends when until resolves', async () => {
    const sandbox = stillSandbox()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const held = sandbox.fault({
      route: '*',
      action: { kind: 'delay', ms: 60_000 },
      match: ({ method, path }) => method === 'GET' && path === '/held',
      until: () => released,
    })
    const statusOf = async (path: string) => (await sandbox.fetch(`https://gateway.example${path}`)).status
    expect(await statusOf('/other')).toBe(404)
    expect(held.hits).toBe(0)
    const answer = statusOf('/held')
    await expect.poll(() => held.hits).toBe(1)
    release()
    expect(await answer).toBe(404)
    await sandbox.close()
  })
})

describe('what answers look like', () => {
  test.each<[FaultAction, string | null]>([
    [{ kind: 'rate-limit' }, null],
    [{ kind: 'rate-limit', retryAfterSecs: 7 }, '7'],
    [{ kind: 'rate-limit', retryAfterSecs: 7, as: 'date' }, 'Tue, 14 Nov 2023 22:13:27 GMT'],
  ])('%j: 429 with Retry-After %s', async (action, expected) => {
    const { sandbox, send } = await merchant()
    sandbox.fault({ route, action })
    expect((await send()).headers.get('retry-after')).toBe(expected)
  })

  test('hide: 404 until the payment is old enough, and a create is a 409 all the time', async () => {
    const { sandbox, send, read } = await merchant()
    sandbox.fault({ route: look, times: Number.POSITIVE_INFINITY, action: { kind: 'hide', ms: 1000 } })
    await send()
    expect([(await read()).status, (await send()).status]).toEqual([404, 409])
    await sandbox.clock.advance(999)
    expect((await read()).status).toBe(404)
    await sandbox.clock.advance(1)
    expect((await read()).status).toBe(200)
    expect((await read('other')).status).toBe(404)
  })

  test.each<[FaultAction, object]>([
    [{ kind: 'unknown-status' }, { process: { status: 'UNDER_REVIEW' } }],
    [{ kind: 'unknown-status', status: 'QUANTUM' }, { process: { status: 'QUANTUM' } }],
    [
      { kind: 'null-for-string', field: 'process.createdAt' },
      { process: { createdAt: null, status: 'CREATED' } },
    ],
    [{ kind: 'mutate', change: { process: { status: null, x: 1 } } }, { process: { x: 1, isTest: true } }],
    [{ kind: 'mutate', change: (json) => Object.assign(Object(json), { added: 1 }) }, { added: 1 }],
    [
      { kind: 'extra-fields' },
      {
        ...extra,
        paymentRequested: { ...extra, money: { ...extra, amount: 100, currencyCode: 'EUR' } },
        paymentMethodResponse: { ...extra, paymentMethodCode: 'VAPAY', idPayout: 'one' },
      },
    ],
  ])('%j: once, and the payment stays what it is', async (action, expected) => {
    const { sandbox, send, read } = await merchant()
    await send()
    const before = (await outcome(read())).json
    sandbox.fault({ route: look, action })
    expect((await outcome(read())).json).toMatchObject(expected)
    expect((await outcome(read())).json).toEqual(before)
  })
})

describe('callbacks', () => {
  const forever = Number.POSITIVE_INFINITY
  const both = '0 PENDING, 1000 SUCCESS'
  test.each<[CallbackFaultOptions | undefined, string]>([
    [undefined, both],
    [{ action: { kind: 'twice' } }, '0 PENDING, 0 PENDING, 1000 SUCCESS'],
    [{ action: { kind: 'late', ms: 5000 } }, '1000 SUCCESS, 5000 PENDING'],
    [{ action: { kind: 'swapped' } }, '1000 SUCCESS, 1000 PENDING'],
    [{ action: { kind: 'missing' } }, '1000 SUCCESS'],
    [{ times: forever, action: { kind: 'missing' } }, ''],
    [{ kind: 'payin', action: { kind: 'missing' } }, both],
    [{ id: 'two', action: { kind: 'missing' } }, both],
  ])('%j', async (fault, expected) => {
    const { sandbox, send, received } = await merchant()
    if (fault !== undefined) sandbox.callbackFault(fault)
    await send()
    await sandbox.clock.advance(10_000)
    expect(received.map((one) => one.join(' ')).join(', ')).toBe(expected)
  })

  test('callback-first: delivered and answered while the create waits', async () => {
    const order: string[] = []
    const deliver = async () => {
      order.push('callback')
      await turns(1)
      return { status: 200 }
    }
    const { sandbox, send } = await merchant({ deliver })
    sandbox.fault({ route, action: { kind: 'callback-first' } })
    await send().then(() => order.push('answer'))
    expect(order).toEqual(['callback', 'answer'])
    expect(sandbox.callbacks).toMatchObject([{ paymentStatus: 'PENDING', response: 200 }])
    await sandbox.clock.advance(1000)
    const statuses = sandbox.payouts.get('one').history.map(({ status }) => status)
    expect(statuses).toEqual(['CREATED', 'PENDING', 'SUCCESS'])
  })

  test('swapped means that the later one has been answered before the earlier one goes out', async () => {
    const order: string[] = []
    const deliver = async ({ body }: { body: string }) => {
      order.push(`${body} out`)
      await turns(5)
      order.push(`${body} answered`)
      return { status: 200 }
    }
    const { sandbox, send } = await merchant({ deliver })
    sandbox.callbackFault({ action: { kind: 'swapped' } })
    await send()
    await sandbox.clock.advance(1000)
    expect(order).toEqual(['SUCCESS out', 'SUCCESS answered', 'PENDING out', 'PENDING answered'])
  })

  test('one that is sent by hand meets no fault', async () => {
    const { sandbox, send, received } = await merchant({ payAfterMs: false })
    sandbox.callbackFault({ times: forever, action: { kind: 'missing' } })
    await send()
    await sandbox.clock.advance(0)
    sandbox.payouts.get('one').sendCallback()
    await sandbox.idle()
    expect(received).toHaveLength(1)
  })

  test('clearFaults disarms these too, and a handle disarms its own and counts', async () => {
    const { sandbox, send, received } = await merchant()
    const first = sandbox.callbackFault({ action: { kind: 'missing' } })
    const second = sandbox.callbackFault({ times: 5, action: { kind: 'twice' } })
    await send()
    await sandbox.clock.advance(0)
    second.remove()
    sandbox.callbackFault({ times: 5, action: { kind: 'missing' } })
    sandbox.clearFaults()
    await sandbox.clock.advance(1000)
    expect([first.hits, second.hits, received]).toEqual([1, 0, [[1000, 'SUCCESS']]])
  })

  test.each<[string, object]>([
    ['kind', { kind: 'refund' }],
    ['times', { times: 0 }],
    ['action', { action: { kind: 'shouted' } }],
    ['action', { action: undefined }],
    ['ms', { action: { kind: 'late', ms: -1 } }],
  ])('a fault with a wrong %s is refused at once: %j', (name, wrong) => {
    const fault = Object.assign({ action: { kind: 'twice' as const } }, wrong)
    expect(() => stillSandbox().callbackFault(fault)).toThrow(name)
  })
})

describe('clocks and tokens', () => {
  test.each([3_600_000, -3_600_000])(
    'a skew of %d ms shows in Date, and refuses timestamps',
    async (byMs) => {
      const { sandbox, read } = await merchant()
      const start = sandbox.clock.now()
      sandbox.clock.skew(byMs)
      expect(sandbox.clock.now()).toBe(start + byMs)
      expect(Date.parse((await read()).headers.get('date') ?? '')).toBe(start + byMs)
      sandbox.clock.skew(0)
      expect((await read()).status).toBe(404)
    },
  )

  test('a skew does not make timers ring earlier, and clearFaults sets the clock right', async () => {
    const { sandbox, send } = await merchant()
    sandbox.clock.skew(3_600_000)
    await send()
    await sandbox.clock.advance(999)
    expect(sandbox.payouts.get('one').status).toBe('PENDING')
    sandbox.clearFaults()
    expect(sandbox.clock.now()).toBe(1_700_000_000_999)
    expect(() => sandbox.clock.skew(Number.NaN)).toThrow('milliseconds')
  })

  test('the fault skew-clock sets the clock wrong for a time', async () => {
    const { sandbox, send } = await merchant()
    const start = sandbox.clock.now()
    sandbox.fault({ route, action: { kind: 'skew-clock', ms: 5000, forMs: 60_000 } })
    await send()
    expect(sandbox.clock.now()).toBe(start + 5000)
    await sandbox.clock.advance(60_000)
    expect(sandbox.clock.now()).toBe(start + 60_000)
  })

  test('revokeTokens: 401 with the old token, and a new one is good', async () => {
    const { sandbox, send, read } = await merchant()
    await sandbox.revokeTokens()
    expect(await codeOf(await send())).toBe('TOKEN_REVOKED')
    const headers = bearer(await masterToken(sandbox))
    expect((await sandbox.fetch(`${ORIGIN}/balances`, { headers })).status).toBe(200)
    expect((await read()).status).toBe(401)
  })
})

describe('chance', () => {
  const story = async (seed: number) => {
    const { sandbox, send, token } = await merchant({ seed, payJitterMs: 1000 })
    sandbox.fault({ route, times: 100, probability: 0.3, action: { kind: 'status', status: 503 } })
    const statuses: number[] = []
    for (let id = 0; id < 60; id += 1) statuses.push((await send(String(id))).status)
    await sandbox.clock.advance(2000)
    const settled = sandbox.payouts.list().map(({ history }) => history.at(-1)?.at)
    return { statuses, settled, token }
  }

  test('is repeated by the seed: which requests a fault hits, and how long payments take', async () => {
    const [one, again, other] = [await story(1), await story(1), await story(2)]
    expect(again).toEqual(one)
    expect(other.statuses).not.toEqual(one.statuses)
    expect(other.settled).not.toEqual(one.settled)
    const hits = one.statuses.filter((status) => status === 503).length
    expect(hits).toBeGreaterThan(6)
    expect(hits).toBeLessThan(30)
    for (const at of one.settled) {
      expect(at).toBeGreaterThanOrEqual(1_700_000_001_000)
      expect(at).toBeLessThan(1_700_000_002_000)
    }
  })

  test('of tokens does not move that of faults', async () => {
    const hits = async (tokens: number) => {
      const { sandbox, send } = await merchant({ seed: 5 })
      for (let count = 0; count < tokens; count += 1) await masterToken(sandbox)
      sandbox.fault({ route, times: 100, probability: 0.5, action: { kind: 'status', status: 503 } })
      const statuses: number[] = []
      for (let id = 0; id < 20; id += 1) statuses.push((await send(String(id))).status)
      return statuses
    }
    expect(await hits(7)).toEqual(await hits(0))
  })
})
