import { afterEach, describe, expect, test } from 'vitest'
import { createSandbox, magicAmounts, type Sandbox, type SandboxOptions } from '../../../sandbox/src/index.js'
import { turns } from '../../support/turns.js'
import { bearer, codeOf, create, masterToken, ORIGIN, paymentBody, stillSandbox } from '../support.js'

const open: Sandbox[] = []
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close()
})

/** Both ways to ask for the same magic. */
type Way = 'amount' | 'operator code'
const ways: readonly Way[] = ['amount', 'operator code']

function magic(amount: number) {
  const found = magicAmounts.find((one) => one.amount === amount)
  if (found?.operatorCode === undefined) throw new Error(`${amount} is not magic.`)
  return { ...found, operatorCode: found.operatorCode }
}

async function merchant(amount: number, way: Way, options: SandboxOptions = {}) {
  const received: string[] = []
  const sandbox = stillSandbox({
    deliver: async ({ body }) => {
      received.push(body)
      return { status: 200 }
    },
    callbackBody: ({ status }) => status,
    ...options,
  })
  open.push(sandbox)
  const token = await masterToken(sandbox)
  const json = paymentBody({
    amount: way === 'amount' ? amount : 100,
    callbackUrl: 'https://shop.example/callbacks',
  })
  const body = way === 'amount' ? json : json.replace('HARBOUR', magic(amount).operatorCode)
  return {
    sandbox,
    received,
    send: (init: RequestInit = {}) =>
      sandbox.fetch(`${ORIGIN}/payins/one`, { ...create(token, body), ...init }),
    read: () => sandbox.fetch(`${ORIGIN}/payins/one`, { headers: bearer(token) }),
  }
}

/** How an exchange ends for the client: a status, or what broke. */
async function ending(call: Promise<Response>): Promise<unknown> {
  try {
    const response = await call
    await response.text()
    return response.status
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    return cause instanceof Error && 'code' in cause ? cause.code : error
  }
}

describe('the table', () => {
  test('has no amount and no operator code twice, and a sentence for each', () => {
    expect(new Set(magicAmounts.map(({ amount }) => amount)).size).toBe(magicAmounts.length)
    expect(new Set(magicAmounts.map(({ operatorCode }) => operatorCode)).size).toBe(magicAmounts.length)
    for (const { meaning, operatorCode } of magicAmounts) {
      expect(meaning).toMatch(/^[A-Z].*\.$/)
      expect(operatorCode).toMatch(/^SANDBOX_[A-Z_]+$/)
    }
  })

  test('is in no list that a customer could choose from', async () => {
    const { sandbox } = await merchant(4001, 'amount')
    const headers = bearer(await masterToken(sandbox))
    const operators = await sandbox.fetch(`${ORIGIN}/payment-operators`, { headers })
    expect(await operators.text()).not.toContain('SANDBOX_')
  })
})

describe.each(ways)('by %s', (way) => {
  const outcomes = magicAmounts.filter(({ outcome }) => outcome !== undefined)
  test.each(outcomes)('$amount, $operatorCode: $meaning', async ({ amount, outcome, afterMs = 1000 }) => {
    const { sandbox, send } = await merchant(amount, way)
    expect((await send()).status).toBe(200)
    await sandbox.clock.advance(afterMs)
    expect(sandbox.payins.get('one').status).toBe(outcome ?? 'PENDING')
  })

  test.each([
    [5001, 'ECONNRESET', 409],
    [5002, 'ECONNRESET', 200],
    [5003, 500, 409],
    [5004, 503, 200],
    [5006, 'ECONNRESET', 409],
    [5009, 502, 409],
    [5011, 429, 200],
    [5012, 429, 200],
    [5013, 409, 409],
    [7005, 200, 409],
    [8001, 401, 401],
    [8002, 200, 409],
  ])('%d: the first create ends with %s, and the second is answered %d', async (amount, first, second) => {
    const { sandbox, send } = await merchant(amount, way)
    expect(await ending(send())).toBe(first)
    expect(await ending(send())).toBe(second)
    expect(sandbox.payins.size).toBe(amount === 8001 ? 0 : 1)
  })

  test.each([
    [5005, 1],
    [5007, 1],
    [5008, 0],
  ])(
    '%d: the first create is never answered whole, and %d payments are accepted',
    async (amount, accepted) => {
      const { sandbox, send } = await merchant(amount, way)
      const abort = new AbortController()
      const call = ending(send({ signal: abort.signal }))
      await turns(10)
      expect(sandbox.payins.size).toBe(accepted)
      const reason = new Error('enough')
      abort.abort(reason)
      expect(await call).toBe(reason)
      expect(await ending(send())).toBe(accepted === 1 ? 409 : 200)
    },
  )

  test('5010: accepted at once, and answered after 3 s', async () => {
    const { sandbox, send } = await merchant(5010, way)
    let status: unknown
    const call = ending(send()).then((end) => {
      status = end
    })
    await turns(5)
    await sandbox.clock.advance(2999)
    expect([status, sandbox.payins.size]).toEqual([undefined, 1])
    await sandbox.clock.advance(1)
    await call
    expect(status).toBe(200)
  })

  test.each([
    [5011, null],
    [5012, '2'],
  ])('%d: Retry-After is %s', async (amount, expected) => {
    const { send } = await merchant(amount, way)
    expect((await send()).headers.get('retry-after')).toBe(expected)
  })

  test('6001: every answer has null where a string was', async () => {
    const { send, read } = await merchant(6001, way)
    for (const answer of [await send(), await read(), await read()]) {
      expect(await answer.json()).toMatchObject({ paymentMethodResponse: { paymentMethodCode: null } })
    }
  })

  test('6002: every answer has fields that nobody has heard of', async () => {
    const { send, read } = await merchant(6002, way)
    for (const answer of [await send(), await read()]) {
      expect(await answer.json()).toMatchObject({ addedToo: null, paymentRequested: { addedToo: null } })
    }
  })

  test('6003: 404 for a second, and then it is found', async () => {
    const { sandbox, send, read } = await merchant(6003, way)
    expect([await ending(send()), await ending(read()), await ending(send())]).toEqual([200, 404, 409])
    await sandbox.clock.advance(999)
    expect(await ending(read())).toBe(404)
    await sandbox.clock.advance(1)
    expect(await ending(read())).toBe(200)
  })

  test.each([
    [100, ['PENDING', 'SUCCESS']],
    [7001, []],
    [7002, ['PENDING', 'PENDING', 'SUCCESS', 'SUCCESS']],
    [7003, ['PENDING', 'SUCCESS']],
    [7004, ['SUCCESS', 'PENDING']],
  ])('%d: the callbacks are %j', async (amount, expected) => {
    const { sandbox, send, received } = await merchant(amount, amount === 100 ? 'amount' : way)
    await send()
    await sandbox.clock.advance(11_000)
    expect(received).toEqual(expected)
  })

  test('7003: ten seconds late', async () => {
    const { sandbox, send, received } = await merchant(7003, way)
    await send()
    await sandbox.clock.advance(9999)
    expect(received).toEqual([])
    await sandbox.clock.advance(1)
    expect(received).toEqual(['PENDING'])
  })

  test('7005: the callback is there before the answer', async () => {
    const { sandbox, send } = await merchant(7005, way)
    await send()
    expect(sandbox.callbacks).toMatchObject([{ paymentStatus: 'PENDING', answer: 200 }])
  })

  test('8001: the very token is revoked', async () => {
    const { send, read } = await merchant(8001, way)
    expect(await codeOf(await send())).toBe('TOKEN_REVOKED')
    expect(await codeOf(await read())).toBe('TOKEN_REVOKED')
  })

  test('8002: an hour ahead for a minute, in the answers about that payment and in no other', async () => {
    const { sandbox, send } = await merchant(8002, way)
    const headers = bearer(await masterToken(sandbox))
    const start = sandbox.clock.now()
    const date = async (answer: Promise<Response>) =>
      Date.parse((await answer).headers.get('date') ?? '') - start
    expect([await date(send()), await date(send())]).toEqual([3_600_000, 3_600_000])
    expect(await date(sandbox.fetch(`${ORIGIN}/balances`, { headers }))).toBe(0)
    await sandbox.clock.advance(60_000)
    const payin = sandbox.payins.get('one')
    expect(Date.parse(payin.createdAt) - start).toBe(3_600_000)
    expect(Date.parse(payin.processedAt ?? '') - start).toBe(3_601_000)
    expect(payin.history.map(({ at }) => at - start)).toEqual([0, 0, 1000])
    expect(await date(send())).toBe(60_000)
  })
})

describe('a magic value', () => {
  test('of the operator goes before that of the amount', async () => {
    const { sandbox, send } = await merchant(4001, 'operator code')
    const token = await masterToken(sandbox)
    const body = paymentBody({ amount: 4002 }).replace('HARBOUR', 'SANDBOX_FAILED')
    await send(create(token, body))
    await sandbox.clock.advance(1000)
    expect(sandbox.payins.get('one').status).toBe('FAILED')
  })

  test('shows as a fault in the log, with what the client saw', async () => {
    const { sandbox, send } = await merchant(5001, 'amount')
    await ending(send())
    expect(sandbox.requests.at(-1)).toMatchObject({ status: 200, verdict: 'OK', fault: 'drop-after' })
  })

  test('that keeps a request from being processed leaves no verdict', async () => {
    const { sandbox, send } = await merchant(5008, 'amount')
    const abort = new AbortController()
    const call = ending(send({ signal: abort.signal }))
    await turns(5)
    abort.abort()
    await call
    expect(sandbox.requests.at(-1)).toMatchObject({ status: undefined, verdict: undefined, fault: 'timeout' })
  })

  test('needs a token that allows the create', async () => {
    const { sandbox, send } = await merchant(5002, 'amount')
    await sandbox.revokeTokens()
    expect(await ending(send())).toBe(401)
  })

  test.each<[string, object]>([
    ['[0].amount must be a number', { amount: '13' }],
    ['[0].fault is not known', { fault: { kind: 'timeout' } }],
    ['[0].firstCreate.kind must be one of: drop-after, ', { firstCreate: { kind: 'error-after' } }],
    ['[0].firstCreate.ms must be a number of milliseconds', { firstCreate: { kind: 'delay' } }],
    ['[0].firstCreate means nothing at a create', { firstCreate: { kind: 'hide', ms: 1 } }],
    ['[0].answers.kind must be one of: mutate, ', { answers: { kind: 'drop-after' } }],
    ['[0].callbacks.late of the kind late is not known', { callbacks: { kind: 'late', ms: 1, late: 1 } }],
  ])('that could never work is refused when the sandbox is made: %s', (sentence, wrong) => {
    const magicAmount = Object.assign({ amount: 13, meaning: 'Bad luck.' }, wrong)
    expect(() => createSandbox({ magicAmounts: [magicAmount] })).toThrow(
      `createSandbox: the option magicAmounts${sentence}`,
    )
  })

  test('may carry any fault', async () => {
    const { sandbox, send, read } = await merchant(13, 'amount', {
      magicAmounts: [
        {
          amount: 13,
          meaning: 'Bad luck.',
          firstCreate: { kind: 'html', status: 599 },
          answers: { kind: 'mutate', change: { process: { status: 'LOST' } } },
          callbacks: { kind: 'late', ms: 60_000 },
        },
      ],
    })
    expect([await ending(send()), await ending(send())]).toEqual([599, 200])
    expect(await (await read()).json()).toMatchObject({ process: { status: 'LOST' } })
    await sandbox.clock.advance(59_999)
    expect(sandbox.callbacks).toEqual([])
  })

  test('of a merchant is added to ours', async () => {
    const bad = { amount: 13, operatorCode: 'BAD_LUCK', outcome: 'FAILED', meaning: 'Bad luck.' }
    const { sandbox, send } = await merchant(13, 'amount', { magicAmounts: [...magicAmounts, bad] })
    await send()
    await sandbox.clock.advance(1000)
    expect(sandbox.payins.get('one').status).toBe('FAILED')
  })
})
