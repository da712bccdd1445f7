import { describe, expect, test } from 'vitest'
import { money } from '../../src/index.js'
import { accept, found, handMadeGateway, json } from '../faults/servers.js'
import { clientOf, create, failure, paymentRequest } from '../faults/support.js'

describe.each(['payin', 'payout'] as const)('the amount of a %s', (kind) => {
  test('PEER 29: 0.1 + 0.2 is refused with a sentence, and sent as 0.3 when it is rounded', async () => {
    await using gateway = await handMadeGateway({ create: [accept] })
    await using client = clientOf(gateway.url, 'undici')
    const error = await failure(create(client, kind, { amount: 0.1 + 0.2 }))
    expect(error).toMatchObject({ code: 'invalid_input', field: 'paymentRequested.money.amount' })
    expect(error.message).toContain('0.1 + 0.2')
    expect(gateway.requests).toEqual([])
    for (const [n, amount] of ['0.3', '0.30', Number((0.1 + 0.2).toFixed(2))].entries()) {
      await create(client, kind, { id: `order-${n}`, amount })
      expect(gateway.requests.at(-1)?.body).toContain('"amount":0.3,')
    }
  })

  test('PEER 30: a BigInt is refused with our own error, before anything is sent', async () => {
    await using gateway = await handMadeGateway({ create: [accept] })
    await using client = clientOf(gateway.url, 'undici')
    // @ts-expect-error what the type does not allow, JavaScript does
    const amount = await failure(create(client, kind, { amount: 10n }))
    expect(amount).toMatchObject({ code: 'invalid_input', outcome: 'not-accepted' })
    const elsewhere = { ...paymentRequest(), orderNumber: 10n }
    const send =
      kind === 'payin'
        ? client.payins.create({ idPayin: 'order-1', ...elsewhere })
        : client.payouts.create({ idPayout: 'order-1', ...elsewhere })
    expect(await failure(send)).toMatchObject({ code: 'invalid_input', outcome: 'not-accepted' })
    expect(gateway.requests).toEqual([])
  })

  test('PEER 30: every result goes through JSON.stringify, and its amounts are numbers', async () => {
    await using gateway = await handMadeGateway({
      create: [accept, json(409, {})],
      lookUp: [json(200, found(kind, 'order-1', 123456789012.34))],
    })
    await using client = clientOf(gateway.url, 'undici')
    const amount = '123456789012.34'
    for (const result of [await create(client, kind, { amount }), await create(client, kind, { amount })]) {
      expect(JSON.parse(JSON.stringify(result))).toEqual(result)
      expect(result.paymentRequested?.money.amount).toBe(123456789012.34)
    }
  })
})

describe('money()', () => {
  test('PEER 29: knows how many decimals a currency has', () => {
    expect(money('10.50', 'EUR')).toEqual({ amount: 10.5, currencyCode: 'EUR' })
    expect(money('10.505', 'BHD')).toEqual({ amount: 10.505, currencyCode: 'BHD' })
    expect(() => money('10.505', 'EUR')).toThrow(/EUR has 2/)
    expect(() => money('10.5', 'JPY')).toThrow(/JPY has 0/)
    expect(() => money(0.1 + 0.2, 'EUR')).toThrow(/digits/)
    expect(() => money(1.005 * 1000, 'EUR')).toThrow(/digits/)
  })

  test('PEER 29: an amount so small that a double loses it is refused', () => {
    expect(() => money(`0.${'0'.repeat(400)}1`, 'XXX')).toThrow()
    expect(() => money(`0.${'0'.repeat(318)}123456789`, 'XXX')).toThrow()
  })
})
