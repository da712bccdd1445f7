import { afterEach, describe, expect, test } from 'vitest'
import type { CallbackRequest, Sandbox, SandboxOptions } from '../../../sandbox/src/index.js'
import {
  bearer,
  codeOf,
  create,
  masterToken,
  ORIGIN,
  outcome,
  paymentBody,
  stillSandbox,
} from '../support.js'

const route = 'POST /payouts/{idPayout}'
const look = 'GET /payouts/{idPayout}'
const callbackUrl = 'https://shop.example/callbacks'
const open: Sandbox[] = []
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close()
})

/** A merchant with a token, whose callbacks are counted. */
async function merchant(options: SandboxOptions = {}) {
  const received: [at: number, body: string][] = []
  const deliver = async ({ body }: CallbackRequest) => {
    received.push([sandbox.clock.now() - start, body])
    return { status: 200 }
  }
  const callbackBody = ({ status }: { status: string }) => status
  const sandbox = stillSandbox({ deliver, callbackBody, ...options })
  open.push(sandbox)
  const start = sandbox.clock.now()
  const token = await masterToken(sandbox)
  return {
    sandbox,
    received,
    token,
    send: (id = 'one', init: RequestInit = {}) =>
      sandbox.fetch(`${ORIGIN}/payouts/${id}`, { ...create(token, paymentBody({ callbackUrl })), ...init }),
    read: (id = 'one') => sandbox.fetch(`${ORIGIN}/payouts/${id}`, { headers: bearer(token) }),
  }
}

const codeOfCause = (error: Error & { cause?: { code?: string } }) => error.cause?.code

describe('on the wire', () => {
  test('answerLost: accepted, and the connection is reset', async () => {
    const { sandbox, send } = await merchant()
    sandbox.rare.answerLost(route)
    expect(await send().catch(codeOfCause)).toBe('ECONNRESET')
    expect([sandbox.payouts.size, (await send()).status]).toEqual([1, 409])
  })

  test('bodyStalled: half of the body, and then nothing until the caller gives up', async () => {
    const { sandbox, send } = await merchant()
    sandbox.rare.bodyStalled(route)
    const abort = new AbortController()
    const response = await send('one', { signal: abort.signal })
    const body = response.text()
    abort.abort(new Error('enough'))
    await expect(body).rejects.toThrow('enough')
    expect(sandbox.payouts.size).toBe(1)
  })

  test('createsRace: another create is accepted, and this one is told so', async () => {
    const { sandbox, send, read } = await merchant()
    const fault = sandbox.rare.createsRace(route)
    const response = await send()
    expect([response.status, await codeOf(response)]).toEqual([409, 'ALREADY_ACCEPTED'])
    expect([sandbox.payouts.size, fault.hits, (await read()).status]).toEqual([1, 1, 200])
  })

  test.each([
    [{}, null],
    [{ retryAfterSecs: 7 }, '7'],
    [{ retryAfterSecs: 7, as: 'date' as const }, 'Tue, 14 Nov 2023 22:13:27 GMT'],
  ])('tooManyRequests %j: 429 with Retry-After %s, and nothing is accepted', async (aim, expected) => {
    const { sandbox, send } = await merchant()
    sandbox.rare.tooManyRequests(route, aim)
    const response = await send()
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, expected])
    expect([sandbox.payouts.size, (await send()).status]).toEqual([0, 200])
  })
})

describe('what answers look like', () => {
  test('foundLater: 404 until the payment is a second old, and a create is a 409 all the time', async () => {
    const { sandbox, send, read } = await merchant()
    sandbox.rare.foundLater(look)
    await send()
    expect([(await read()).status, (await send()).status]).toEqual([404, 409])
    await sandbox.clock.advance(999)
    expect((await read()).status).toBe(404)
    await sandbox.clock.advance(1)
    expect((await read()).status).toBe(200)
    expect((await read('other')).status).toBe(404)
  })

  test('foundLater takes its time from the caller', async () => {
    const { sandbox, send, read } = await merchant()
    sandbox.rare.foundLater(look, { afterMs: 60_000, times: 1 })
    await send()
    expect([(await read()).status, (await read()).status]).toEqual([404, 200])
  })

  test('unknownStatus: once, and the payment stays what it is', async () => {
    const { sandbox, send, read } = await merchant()
    await send()
    sandbox.rare.unknownStatus(look, { status: 'QUANTUM' })
    const status = async () => (await outcome(read())).json
    expect(await status()).toMatchObject({ process: { status: 'QUANTUM' } })
    expect(await status()).toMatchObject({ process: { status: 'CREATED' } })
  })

  test('nullForString: in the field that every answer has, or in another', async () => {
    const { sandbox, send, read } = await merchant()
    sandbox.rare.nullForString(route)
    expect((await outcome(send())).json).toMatchObject({ paymentMethodResponse: { paymentMethodCode: null } })
    sandbox.rare.nullForString(look, 'process.createdAt')
    expect((await outcome(read())).json).toMatchObject({ process: { createdAt: null, status: 'CREATED' } })
  })

  test('nullForString says so when there is no string', async () => {
    const { sandbox, send } = await merchant()
    sandbox.rare.nullForString(route, 'paymentRequested.money.amount')
    const { status, json } = await outcome(send())
    expect(status).toBe(500)
    expect(JSON.stringify(json)).toContain('no string at paymentRequested.money.amount')
  })

  test('extraFields: in every object, with what was there before', async () => {
    const { sandbox, send } = await merchant()
    sandbox.rare.extraFields(route)
    const extra = { addedLater: { list: [1, 'two', null], flag: true }, addedToo: null }
    expect((await outcome(send())).json).toEqual({
      ...extra,
      paymentRequested: { ...extra, money: { ...extra, amount: 100, currencyCode: 'EUR' } },
      paymentMethodResponse: { ...extra, paymentMethodCode: 'VAPAY', idPayout: 'one' },
    })
  })
})

describe('callbacks', () => {
  test('callbackBeforeAnswer: delivered and answered while the create waits', async () => {
    const order: string[] = []
    const deliver = async () => {
      order.push('callback')
      await new Promise((resolve) => setImmediate(resolve))
      return { status: 200 }
    }
    const { sandbox, send } = await merchant({ deliver })
    sandbox.rare.callbackBeforeAnswer(route)
    await send().then(() => order.push('answer'))
    expect(order).toEqual(['callback', 'answer'])
    expect(sandbox.callbacks).toMatchObject([{ paymentStatus: 'PENDING', answer: 200 }])
    await sandbox.clock.advance(1000)
    expect(sandbox.payouts.get('one').history.map(({ status }) => status)).toEqual([
      'CREATED',
      'PENDING',
      'SUCCESS',
    ])
  })

  test.each<[string, (sandbox: Sandbox) => void, [number, string][]]>([
    ['none of these', () => {}, [at(0, 'PENDING'), at(1000, 'SUCCESS')]],
    [
      'callbackTwice',
      ({ rare }) => rare.callbackTwice(),
      [at(0, 'PENDING'), at(0, 'PENDING'), at(1000, 'SUCCESS')],
    ],
    ['callbackLate', ({ rare }) => rare.callbackLate(5000), [at(1000, 'SUCCESS'), at(5000, 'PENDING')]],
    [
      'callbacksOutOfOrder',
      ({ rare }) => rare.callbacksOutOfOrder(),
      [at(1000, 'SUCCESS'), at(1000, 'PENDING')],
    ],
    ['callbackMissing', ({ rare }) => rare.callbackMissing(), [at(1000, 'SUCCESS')]],
    ['callbackMissing, always', ({ rare }) => rare.callbackMissing({ times: Number.POSITIVE_INFINITY }), []],
    [
      'a fault for payins',
      ({ rare }) => rare.callbackMissing({ kind: 'payin' }),
      [at(0, 'PENDING'), at(1000, 'SUCCESS')],
    ],
    [
      'a fault for another',
      ({ rare }) => rare.callbackMissing({ id: 'two' }),
      [at(0, 'PENDING'), at(1000, 'SUCCESS')],
    ],
  ])('%s', async (_name, arm, expected) => {
    const { sandbox, send, received } = await merchant()
    arm(sandbox)
    await send()
    await sandbox.clock.advance(10_000)
    expect(received).toEqual(expected)
  })

  test('out of order means that the later one has been answered before the earlier one goes out', async () => {
    const order: string[] = []
    const deliver = async ({ body }: CallbackRequest) => {
      order.push(`${body} out`)
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      order.push(`${body} answered`)
      return { status: 200 }
    }
    const { sandbox, send } = await merchant({ deliver })
    sandbox.rare.callbacksOutOfOrder()
    await send()
    await sandbox.clock.advance(1000)
    expect(order).toEqual(['SUCCESS out', 'SUCCESS answered', 'PENDING out', 'PENDING answered'])
  })

  test('a callback that is sent by hand meets none of it', async () => {
    const { sandbox, send, received } = await merchant({ settleAfterMs: false })
    sandbox.rare.callbackMissing({ times: Number.POSITIVE_INFINITY })
    await send()
    await sandbox.clock.advance(0)
    sandbox.payouts.get('one').sendCallback()
    await sandbox.idle()
    expect(received).toHaveLength(1)
  })

  test('clearFaults disarms these too, and a handle disarms its own and counts', async () => {
    const { sandbox, send, received } = await merchant()
    const first = sandbox.rare.callbackMissing()
    const second = sandbox.rare.callbackTwice({ times: 5 })
    await send()
    await sandbox.clock.advance(0)
    second.remove()
    sandbox.rare.callbackMissing({ times: 5 })
    sandbox.clearFaults()
    await sandbox.clock.advance(1000)
    expect([first.hits, second.hits, received]).toEqual([1, 0, [at(1000, 'SUCCESS')]])
  })

  test.each<[string, object]>([
    ['kind', { kind: 'refund' }],
    ['times', { times: 0 }],
    ['action', { action: { kind: 'shouted' } }],
    ['action', { action: undefined }],
    ['ms', { action: { kind: 'late', ms: -1 } }],
  ])('a fault with a wrong %s is refused at once: %j', async (name, wrong) => {
    const fault = Object.assign({ action: { kind: 'twice' as const } }, wrong)
    expect(() => stillSandbox().callbackFault(fault)).toThrow(name)
  })
})

describe('clocks and tokens', () => {
  test.each([3_600_000, -3_600_000])(
    'clockSkewed by %d ms shows in Date, and refuses timestamps',
    async (byMs) => {
      const { sandbox, read } = await merchant()
      sandbox.rare.clockSkewed(byMs)
      expect(sandbox.clock.now()).toBe(1_700_000_000_000 + byMs)
      const date = (await read()).headers.get('date') ?? ''
      expect(Date.parse(date)).toBe(1_700_000_000_000 + byMs)
      sandbox.rare.clockSkewed(0)
      expect((await read()).status).toBe(404)
    },
  )

  test('clockSkewed does not make timers ring earlier, and clearFaults sets the clock right', async () => {
    const { sandbox, send } = await merchant()
    sandbox.rare.clockSkewed(3_600_000)
    await send()
    await sandbox.clock.advance(999)
    expect(sandbox.payouts.get('one').status).toBe('PENDING')
    sandbox.clearFaults()
    expect(sandbox.clock.now()).toBe(1_700_000_000_999)
    expect(() => sandbox.rare.clockSkewed(Number.NaN)).toThrow('milliseconds')
  })

  test('tokensRevoked: 401 with the old token, and a new one is good', async () => {
    const { sandbox, send, read } = await merchant()
    await sandbox.rare.tokensRevoked()
    expect(await codeOf(await send())).toBe('TOKEN_REVOKED')
    const headers = bearer(await masterToken(sandbox))
    expect((await sandbox.fetch(`${ORIGIN}/balances`, { headers })).status).toBe(200)
    expect((await read()).status).toBe(401)
  })
})

describe('chance', () => {
  const story = async (seed: number) => {
    const { sandbox, send, token } = await merchant({ seed, settleJitterMs: 1000 })
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

  test('of a delay: jitter comes on top of it', async () => {
    const { sandbox, send } = await merchant({ seed: 'jitter' })
    sandbox.fault({ route, action: { kind: 'delay', ms: 1000, jitterMs: 1000 } })
    let answered = false
    const call = send().then(() => {
      answered = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    await sandbox.clock.advance(1000)
    expect(answered).toBe(false)
    await sandbox.clock.advance(1000)
    await call
  })
})

function at(ms: number, body: string): [number, string] {
  return [ms, body]
}
