import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  expectCallbacksAnswered,
  expectExactlyOnce,
  expectNoPayment,
  expectNoRateLimitHit,
  expectNoRefusals,
  type Sandbox,
  SandboxExpectationError,
  type SandboxOptions,
  timelineOf,
} from '../../src/index.js'
import { bearer, create, JSON_HEADERS, masterToken, ORIGIN, paymentBody, stillSandbox } from '../support.js'

const callbackUrl = 'https://shop.example/callbacks/a-secret-mac?token=another'

async function merchant(options: SandboxOptions = {}) {
  const sandbox = stillSandbox({ deliver: async () => ({ status: 200 }), ...options })
  const token = await masterToken(sandbox)
  return {
    sandbox,
    token,
    send: async (path: string, body = paymentBody({ callbackUrl })) => {
      await sandbox.fetch(ORIGIN + path, create(token, body)).catch(() => {})
    },
  }
}

function failure(run: () => void): SandboxExpectationError {
  try {
    run()
  } catch (error) {
    if (error instanceof SandboxExpectationError) return error
    throw error
  }
  throw new Error('It did not fail.')
}

describe('expectExactlyOnce', () => {
  test('holds for a payment that was created once, also when the response was lost and it was tried again', async () => {
    const { sandbox, send } = await merchant()
    sandbox.fault({ route: 'POST /payouts/{idPayout}', action: { kind: 'drop-after' } })
    await send('/payouts/one')
    await send('/payouts/one')
    expectExactlyOnce(sandbox, 'one')
    await sandbox.clock.advance(1000)
    expectExactlyOnce(sandbox, 'one', { status: 'SUCCESS', kind: 'payout' })
  })

  test('fails with the whole story when a retry took a fresh id', async () => {
    const { sandbox, send } = await merchant()
    sandbox.fault({ route: 'POST /payouts/{idPayout}', action: { kind: 'drop-after' } })
    await send('/payouts/one')
    await sandbox.clock.advance(250.5)
    await send('/payouts/two')
    await sandbox.clock.advance(1000)
    expect(failure(() => expectExactlyOnce(sandbox, 'one')).message).toBe(
      [
        '2 payouts ask for the same money and account: "one", "two".',
        "From 2023-11-14T22:13:20.000Z, by the sandbox's clock:",
        '     +0 ms  request   POST /payouts/one: 200 OK (met the fault drop-after)',
        '     +0 ms  status    payout one is CREATED',
        '     +0 ms  status    payout one is PENDING',
        '     +0 ms  callback  for PENDING of payout one, to shop.example, try 1: 200',
        ' +250.5 ms  request   POST /payouts/two: 200 OK',
        ' +250.5 ms  status    payout two is CREATED',
        ' +250.5 ms  status    payout two is PENDING',
        ' +250.5 ms  callback  for PENDING of payout two, to shop.example, try 1: 200',
        '  +1000 ms  status    payout one is SUCCESS',
        '  +1000 ms  callback  for SUCCESS of payout one, to shop.example, try 1: 200',
        '+1250.5 ms  status    payout two is SUCCESS',
        '+1250.5 ms  callback  for SUCCESS of payout two, to shop.example, try 1: 200',
      ].join('\n'),
    )
    expectExactlyOnce(sandbox, 'one', { allowDuplicates: true })
  })

  test.each<[string, (sandbox: Sandbox) => void, RegExp]>([
    ['nobody made it', (at) => expectExactlyOnce(at, 'none'), /^No payment has the id "none"\.\nFrom/],
    [
      'its status differs',
      (at) => expectExactlyOnce(at, 'one', { status: 'FAILED' }),
      /is CREATED and not FAILED/,
    ],
    ['it is of the other kind', (at) => expectExactlyOnce(at, 'one', { kind: 'payin' }), /^No payment/],
  ])('fails when %s', async (_name, run, expected) => {
    const { sandbox, send } = await merchant()
    await send('/payouts/one')
    expect(failure(() => run(sandbox)).message).toMatch(expected)
  })

  test('fails when the same id was used for something else', async () => {
    const { sandbox, send } = await merchant()
    await send('/payouts/one')
    await send('/payouts/one', paymentBody({ amount: 7 }))
    expect(failure(() => expectExactlyOnce(sandbox, 'one')).message).toContain('asked for something else')
  })

  test('does not take another money, account or kind for a duplicate', async () => {
    const { sandbox, send } = await merchant()
    await send('/payouts/one')
    await send('/payouts/two', paymentBody({ amount: 7 }))
    await send('/payouts/three', paymentBody().replace('Jana', 'Ivo'))
    await send('/payins/four')
    expectExactlyOnce(sandbox, 'one')
  })

  test('wants to know the kind when both have the id', async () => {
    const { sandbox, send } = await merchant()
    await send('/payouts/one')
    await send('/payins/one')
    expect(failure(() => expectExactlyOnce(sandbox, 'one')).message).toContain('say which by kind')
    expectExactlyOnce(sandbox, 'one', { kind: 'payin' })
  })
})

describe('expectNoPayment', () => {
  test('holds while nothing was accepted, for one id or for all', async () => {
    const { sandbox, send } = await merchant()
    sandbox.fault({ route: '*', action: { kind: 'drop-before' } })
    await send('/payouts/one')
    expectNoPayment(sandbox)
    await send('/payouts/two')
    expectNoPayment(sandbox, 'one')
    expect(failure(() => expectNoPayment(sandbox)).message).toContain('there are 1: payout "two".')
    expect(failure(() => expectNoPayment(sandbox, 'two')).message).toContain('there are 1')
  })
})

describe('expectCallbacksAnswered', () => {
  test('holds when the last try of each was answered', async () => {
    let count = 0
    const deliver = async () => {
      count += 1
      return { status: count === 1 ? 500 : 204 }
    }
    const { sandbox, send } = await merchant({ deliver })
    await send('/payouts/one')
    await sandbox.clock.advance(0)
    expect(failure(() => expectCallbacksAnswered(sandbox)).message).toContain('PENDING of payout "one"')
    await sandbox.clock.advance(2000)
    expectCallbacksAnswered(sandbox, 'one')
  })

  test('fails when none was sent', async () => {
    const { sandbox, send } = await merchant()
    sandbox.callbackFault({ times: 9, action: { kind: 'missing' } })
    await send('/payouts/one')
    await sandbox.clock.advance(1000)
    expect(failure(() => expectCallbacksAnswered(sandbox, 'one')).message).toContain('none was sent')
  })
})

describe('expectNoRateLimitHit', () => {
  test('fails for the limiter, and not for a fault', async () => {
    const { sandbox, send } = await merchant({ rateLimit: 3 })
    sandbox.fault({ route: 'POST /payouts/{idPayout}', action: { kind: 'rate-limit' } })
    await send('/payouts/one')
    await send('/payouts/one')
    expectNoRateLimitHit(sandbox)
    await send('/payouts/two')
    await send('/payouts/three')
    expect(failure(() => expectNoRateLimitHit(sandbox)).message).toContain('refused 1 requests')
  })
})

describe('expectNoRefusals', () => {
  test('fails for what the gateway found wrong, and names it', async () => {
    const { sandbox, send } = await merchant()
    await send('/payouts/one')
    await send('/payouts/one')
    sandbox.fault({ route: '*', action: { kind: 'status', status: 400 } })
    await send('/payouts/two')
    expectNoRefusals(sandbox)
    await sandbox.fetch(`${ORIGIN}/balances`, { headers: JSON_HEADERS })
    expect(failure(() => expectNoRefusals(sandbox)).message).toContain(
      '1 requests were refused: TOKEN_MISSING.',
    )
  })
})

describe('a timeline', () => {
  test('holds no token, no account, no body and no path of a callback URL', async () => {
    const deliver = async () => {
      throw new Error(`Could not reach ${callbackUrl}`)
    }
    const { sandbox, send, token } = await merchant({ deliver })
    await send('/payouts/one?secret=value')
    await sandbox.clock.advance(10_000)
    const error = failure(() => expectNoPayment(sandbox))
    const printed = inspect(error) + JSON.stringify(timelineOf(sandbox))
    expect(printed).toContain('Could not reach shop.example')
    for (const canary of [token, '0123456789', 'Jana', 'a-secret-mac', 'secret=value', 'jana@']) {
      expect(printed).not.toContain(canary)
    }
  })

  test('is one line for each event, whatever is in an id', async () => {
    const { sandbox, send } = await merchant()
    await send(`/payouts/${encodeURIComponent('a\nb\u202e\u001b[31m')}`)
    for (const { text } of timelineOf(sandbox)) expect(text).not.toMatch(/[\n\u202e\u001b]/)
    await send(`/payouts/${'x'.repeat(5000)}`)
    for (const { text } of timelineOf(sandbox)) expect(text.length).toBeLessThan(170)
  })

  test('leaves out what is long ago, and says so', async () => {
    const { sandbox, token } = await merchant()
    for (let count = 0; count < 100; count += 1) {
      await sandbox.fetch(`${ORIGIN}/balances`, { headers: bearer(token) })
    }
    const { timeline } = failure(() => expectExactlyOnce(sandbox, 'none'))
    expect(timeline).toHaveLength(62)
    expect(timeline[1]).toBe('(41 earlier events are left out)')
  })

  test('of nothing says so', () => {
    expect(failure(() => expectExactlyOnce(stillSandbox(), 'none')).timeline).toEqual(['Nothing happened.'])
  })

  test('can be asked for one payment', async () => {
    const { sandbox, send } = await merchant()
    await send('/payouts/one')
    await send('/payins/one')
    await send('/payouts/two')
    const types = timelineOf(sandbox, { kind: 'payout', id: 'one' }).map(({ type }) => type)
    expect(types).toEqual(['request', 'status'])
  })
})
