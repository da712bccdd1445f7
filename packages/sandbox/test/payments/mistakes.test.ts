import { describe, expect, test } from 'vitest'
import type { SandboxOptions } from '../../src/index.js'
import { create, masterToken, ORIGIN, outcome, stillSandbox } from '../support.js'

interface Wanted {
  readonly kind?: 'payins' | 'payouts'
  readonly method?: string
  readonly operator?: string
  readonly currencyCode?: string
  readonly amount?: number
}

async function created(options: SandboxOptions, wanted: Wanted) {
  const { kind = 'payins', operator, currencyCode = 'EUR', amount = 10 } = wanted
  const { method = kind === 'payins' ? 'VAPAY' : 'BANK_TRANSFER' } = wanted
  const sandbox = stillSandbox(options)
  const body = JSON.stringify({
    paymentRequested: { money: { amount, currencyCode } },
    paymentMethod: {
      paymentMethodCode: method,
      paymentOperatorCode: operator,
      account: { accountNumber: '000123-0123456789' },
    },
  })
  const { status, json } = await outcome(
    sandbox.fetch(`${ORIGIN}/${kind}/one`, create(await masterToken(sandbox), body)),
  )
  return { status, json, notes: sandbox[kind].find('one')?.notes }
}

const refused: [what: string, wanted: Wanted, code: string, message: string][] = [
  [
    'a payin by a method that is not in the list',
    { method: 'VPAY' },
    'UNKNOWN_METHOD',
    "paymentMethod.paymentMethodCode is not in the gateway's list: VAPAY. Did you mean VAPAY?",
  ],
  [
    'an operator that is not in the list',
    { operator: 'HARBOR' },
    'UNKNOWN_OPERATOR',
    "paymentMethod.paymentOperatorCode is not in the gateway's list: HARBOUR, MERIDIAN, NORTHGATE. Did you mean HARBOUR?",
  ],
  [
    'a currency that is not in the list',
    { currencyCode: 'XYZ' },
    'UNKNOWN_CURRENCY',
    "paymentRequested.money.currencyCode is not in the gateway's list: CZK, EUR, GBP, IDR, JPY, USD.",
  ],
]
const noted: [what: string, wanted: Wanted, code: string, note: RegExp][] = [
  [
    'a payout of more than the balance',
    { kind: 'payouts', amount: 9_000_000 },
    'BALANCE_TOO_LOW',
    /more than the balance in EUR\. The specification doesn't say/,
  ],
  [
    'a payout that the balance covers without its fee',
    { kind: 'payouts', amount: 100_000 },
    'BALANCE_TOO_LOW',
    /^The payout and its fee are more than/,
  ],
  [
    'a payout by another method',
    { kind: 'payouts', method: 'VAPAY' },
    'UNKNOWN_METHOD',
    /is not BANK_TRANSFER, the only method of payouts/,
  ],
]

describe('a mistake in a create that is well formed', () => {
  test.each(refused)('%s is refused', async (_what, wanted, code, message) => {
    expect(await created({}, wanted)).toEqual({ status: 400, json: { code, message }, notes: undefined })
  })

  test.each(refused.slice(1))('for payouts too, %s is refused', async (_what, wanted, code) => {
    const answer = await created({}, { ...wanted, kind: 'payouts' })
    expect(answer).toMatchObject({ status: 400, json: { code } })
  })

  test.each(noted)('%s, of which the specification says nothing, is accepted with a note', async (...row) => {
    const [, wanted, , note] = row
    expect(await created({}, wanted)).toMatchObject({ status: 200, notes: [expect.stringMatching(note)] })
  })

  test.each(noted)('%s is refused where all are', async (_what, wanted, code) => {
    const answer = await created({ mistakes: 'refuse' }, wanted)
    expect(answer).toMatchObject({ status: 400, json: { code } })
  })

  test.each([...refused, ...noted].map(([what, wanted]) => ({ what, wanted })))(
    '$what is noted where none is refused',
    async ({ wanted }) => {
      expect(await created({ mistakes: 'note' }, wanted)).toMatchObject({
        status: 200,
        notes: [expect.any(String)],
      })
    },
  )

  test('what is listed passes without a note, and so does a magic code that is listed nowhere', async () => {
    const ok = { status: 200, notes: [] }
    expect(await created({}, { operator: 'HARBOUR' })).toMatchObject(ok)
    expect(await created({}, { operator: 'SANDBOX_FAILED' })).toMatchObject(ok)
    expect(await created({}, { kind: 'payouts', amount: 99_999 })).toMatchObject(ok)
    const own = {
      payinMethods: ['CARD'],
      paymentOperators: [{ code: 'PIER', name: 'Pier Bank' }],
      balances: { CHF: 5 },
    }
    const wanted = { method: 'CARD', operator: 'PIER', currencyCode: 'CHF' }
    expect(await created(own, wanted)).toMatchObject(ok)
    expect(await created(own, {})).toMatchObject({ status: 400 })
  })

  test('a long list is not shown whole, and what was sent is not shown at all', async () => {
    const paymentOperators = Array.from({ length: 50 }, (_, i) => ({ code: `BANK${i}`, name: 'A bank' }))
    const { json } = await created({ paymentOperators }, { operator: '000123-0123456789' })
    expect(json).toEqual({
      code: 'UNKNOWN_OPERATOR',
      message: `paymentMethod.paymentOperatorCode is not in the gateway's list: ${Array.from({ length: 10 }, (_, i) => `BANK${i}`).join(', ')}, and 40 more.`,
    })
  })
})
