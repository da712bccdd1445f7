import { describe, expect, test } from 'vitest'
import { turns } from '../../../../test/support/turns.js'
import { type MagicAmount, magicAmounts } from '../../src/index.js'
import { bearer, ORIGIN, outcome, paymentBody } from '../support.js'
import { type Merchant, meet, merchant } from './merchant.js'

const callbackUrl = 'https://shop.example/callbacks'

/** Both ways to ask for the same magic. */
const ways: readonly [way: string, body: (magic: MagicAmount) => string][] = [
  ['amount', ({ amount }) => paymentBody({ amount, callbackUrl })],
  ['operator code', ({ operatorCode = '' }) => paymentBody({ callbackUrl }).replace('HARBOUR', operatorCode)],
]
const withBoth = ways.flatMap(([way, body]) => magicAmounts.map((magic) => ({ way, body, magic })))
const whoseCreateMeetsAFault = withBoth.flatMap(({ magic, ...one }) => {
  const { firstCreate } = magic
  return firstCreate === undefined ? [] : [{ ...one, magic, firstCreate }]
})

function magic(amount: number): MagicAmount {
  const found = magicAmounts.find((one) => one.amount === amount)
  if (found === undefined) throw new Error(`${amount} is not magic.`)
  return found
}

function merchantWith(amount: number): Promise<Merchant> {
  return merchant({}, paymentBody({ amount, callbackUrl }))
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
    const { sandbox, token } = await merchant()
    const operators = await sandbox.fetch(`${ORIGIN}/payment-operators`, { headers: bearer(token) })
    expect(await operators.text()).not.toContain('SANDBOX_')
  })
})

test.each(withBoth.filter(({ magic }) => magic.outcome !== undefined))(
  '$magic.amount by $way: $magic.meaning',
  async ({ body, magic }) => {
    const { sandbox, send } = await merchant({}, body(magic))
    expect((await send()).status).toBe(200)
    await sandbox.clock.advance(magic.afterMs ?? 1000)
    expect(sandbox.payouts.get('one').status).toBe(magic.outcome ?? 'PENDING')
  },
)

test.each(whoseCreateMeetsAFault)(
  '$magic.amount by $way: the first create meets the fault $firstCreate.kind, and the second does not',
  async ({ body, magic, firstCreate }) => {
    const { sandbox, send } = await merchant({}, body(magic))
    const abort = new AbortController()
    const call = meet(send('one', { signal: abort.signal }))
    await turns(5)
    await sandbox.clock.advance(3000)
    abort.abort()
    await call
    expect(sandbox.requests.at(-1)?.fault).toBe(firstCreate.kind)
    await meet(send())
    expect(sandbox.requests.at(-1)?.fault).toBeUndefined()
  },
)

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
])('%d: the first create ends with %s, and the second is answered %d', async (amount, first, second) => {
  const { sandbox, send } = await merchantWith(amount)
  const { status, error = status } = await meet(send())
  expect([error, (await meet(send())).status]).toEqual([first, second])
  expect(sandbox.payouts.size).toBe(amount === 8001 ? 0 : 1)
})

test.each([
  [5005, 1],
  [5007, 1],
  [5008, 0],
])('%d: the first create is never answered whole, and %d payments are accepted', async (amount, accepted) => {
  const { sandbox, send } = await merchantWith(amount)
  const abort = new AbortController()
  const call = meet(send('one', { signal: abort.signal }))
  await turns(10)
  expect(sandbox.payouts.size).toBe(accepted)
  const error = new Error('enough')
  abort.abort(error)
  expect(await call).toMatchObject({ error })
  expect((await send()).status).toBe(accepted === 1 ? 409 : 200)
})

describe('answers and callbacks', () => {
  test.each([
    [6001, { paymentMethodResponse: { paymentMethodCode: null } }],
    [6002, { addedToo: null, paymentRequested: { addedToo: null } }],
  ])('%d: every response has %j', async (amount, expected) => {
    const { send, read } = await merchantWith(amount)
    for (const call of [send, read, read]) expect((await outcome(call())).json).toMatchObject(expected)
  })

  test.each<[number, string[]]>([
    [100, ['0 PENDING', '1000 SUCCESS']],
    [7001, []],
    [7002, ['0 PENDING', '0 PENDING', '1000 SUCCESS', '1000 SUCCESS']],
    [7003, ['10000 PENDING', '11000 SUCCESS']],
    [7004, ['1000 SUCCESS', '1000 PENDING']],
  ])('%d: the callbacks are %j', async (amount, expected) => {
    const { sandbox, send, received } = await merchantWith(amount)
    await send()
    await sandbox.clock.advance(11_000)
    expect(received.map(([ms, status]) => `${ms} ${status}`)).toEqual(expected)
  })
})

describe('a magic value', () => {
  test('of the operator goes before that of the amount', async () => {
    const body = paymentBody({ amount: 4002 }).replace('HARBOUR', magic(4001).operatorCode)
    const { sandbox, send } = await merchant({}, body)
    await send()
    await sandbox.clock.advance(1000)
    expect(sandbox.payouts.get('one').status).toBe('FAILED')
  })

  test('needs a token that allows the create', async () => {
    const { sandbox, send } = await merchantWith(5002)
    await sandbox.revokeTokens()
    expect((await send()).status).toBe(401)
  })
})
