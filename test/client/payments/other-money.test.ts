import { describe, expect, it } from 'vitest'
import type { PayoutCreateInput } from '../../../src/client/schemas/payouts.js'
import { caught } from '../../support/caught.js'
import { mockGateway } from '../../support/gateway.js'

const gateway = mockGateway()

const request: PayoutCreateInput = {
  idPayout: 'w-1',
  paymentRequested: { money: { amount: '25.00', currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '0012345678' } },
}

const answerWith = (amount: number, currencyCode: string) => ({
  paymentRequested: { money: { amount, currencyCode } },
  paymentMethodResponse: { idPayout: 'w-1', idPayin: 'w-1', paymentMethodCode: 'BANK_TRANSFER' },
})

describe('a response to a create that shows other money is no plain success', () => {
  it.each([
    [2500, 'EUR', ['paymentRequested.money.amount'], [' (25 was asked for, 2500 is shown)']],
    [25, 'USD', ['paymentRequested.money.currencyCode'], [' (EUR was asked for, USD is shown)']],
    [
      0,
      'CZK',
      ['paymentRequested.money.amount', 'paymentRequested.money.currencyCode'],
      [' (25 was asked for, 0 is shown)', ' (EUR was asked for, CZK is shown)'],
    ],
  ])('%d %s', async (amount, currencyCode, differences, values) => {
    gateway.answer(answerWith(amount, currencyCode))
    const payout = await caught(() => gateway.client().payouts.create(request))
    expect(payout).toMatchObject({
      code: 'idempotency_conflict',
      outcome: 'accepted',
      idPayout: 'w-1',
      status: 200,
      attempts: 1,
      differences,
    })
    expect(payout.message).toBe(
      `POST /payouts/{idPayout}: the gateway accepted this payout and shows other money than was asked for (200): ${differences.map((name, at) => name + values[at]).join(', ')}; that payout exists, so retrieve it, and never create it under another id.`,
    )
    const { idPayout, ...payin } = request
    expect(
      await caught(() => gateway.client().payins.create({ ...payin, idPayin: idPayout ?? '' })),
    ).toMatchObject({ outcome: 'accepted', idPayin: 'w-1', differences })
    expect(gateway.business()).toHaveLength(2)
  })

  it.each([
    [25, 'EUR'],
    [25.0, 'eur'],
  ])('but the same money, however it is written, is one: %d %s', async (amount, currencyCode) => {
    gateway.answer(answerWith(amount, currencyCode))
    expect(await gateway.client().payouts.create(request)).toMatchObject({ replayed: false })
  })
})
