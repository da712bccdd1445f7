import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../../packages/sandbox/src/index.js'
import { GatewayClient, isGatewayError, type RefundInput, refundId } from '../../../src/index.js'

let sandbox: Sandbox
let client: GatewayClient

beforeEach(async () => {
  sandbox = createSandbox({ rateLimit: false, payAfterMs: false })
  client = new GatewayClient(sandbox.clientOptions())
  await client.payins.create({
    idPayin: 'order-1',
    paymentRequested: { money: { amount: '10.50', currencyCode: 'EUR' } },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
  })
  sandbox.payins.get('order-1').pay()
})
afterEach(async () => {
  await client.close()
  await sandbox.close()
})

function refundOf(number: number, amount: string, more: Partial<RefundInput> = {}): RefundInput {
  return {
    idPayin: 'order-1',
    number,
    money: { amount, currencyCode: 'EUR' },
    account: { accountName: 'Jana Novak', accountNumber: '000123-0123456789' },
    paymentOperatorCode: 'HARBOUR',
    ...more,
  }
}

async function refusalOf(refund: RefundInput, options: Parameters<typeof client.payins.refund>[1] = {}) {
  const payouts = sandbox.payouts.size
  const error: unknown = await client.payins.refund(refund, options).catch((reason: unknown) => reason)
  if (!isGatewayError(error)) throw new Error('it was not refused', { cause: error })
  expect(sandbox.payouts.size).toBe(payouts)
  return error
}

describe('payins.refund', () => {
  test('makes a payout to the account, under the id that follows from payin and number', async () => {
    const refund = await client.payins.refund(refundOf(1, '4.50', { emailAddress: 'jana@example.com' }))
    expect(refund).toMatchObject({
      idPayin: 'order-1',
      number: 1,
      idPayout: refundId('order-1', 1),
      replayed: false,
    })
    expect(sandbox.payouts.get(refund.idPayout)).toMatchObject({
      money: { amount: 4.5, currencyCode: 'EUR' },
    })
  })

  test('makes each number once: the same again is the same refund, another amount is a conflict', async () => {
    await client.payins.refund(refundOf(1, '4.50'))
    expect(await client.payins.refund(refundOf(1, '4.50'))).toMatchObject({ replayed: true, number: 1 })
    expect(await refusalOf(refundOf(1, '4.60'))).toMatchObject({
      code: 'idempotency_conflict',
      outcome: 'accepted',
      idPayout: refundId('order-1', 1),
      message:
        'payins.refund: the gateway has a payout for refund 1 that differs from this request in paymentRequested.money.amount (409); its money may move, so see payins.refunds, and take the next number only if you mean a further refund beside it.',
    })
    expect(sandbox.payouts.size).toBe(1)
  })

  test('says nothing of a refund before where the gateway takes this one with other money', async () => {
    const paymentMethodResponse = { idPayout: refundId('order-1', 1), paymentMethodCode: 'BANK_TRANSFER' }
    const other = { paymentRequested: { money: { amount: 450, currencyCode: 'EUR' } }, paymentMethodResponse }
    sandbox.fault({ route: 'POST /payouts/{idPayout}', action: { kind: 'mutate', change: () => other } })
    const error: unknown = await client.payins.refund(refundOf(1, '4.50')).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'idempotency_conflict',
      outcome: 'accepted',
      status: 200,
      message:
        'payins.refund: the gateway has a payout for refund 1 that differs from this request in paymentRequested.money.amount (200); its money may move, so see payins.refunds, and take the next number only if you mean a further refund beside it.',
    })
  })

  test('gives back no more than was paid, in whatever parts', async () => {
    await client.payins.refund(refundOf(1, '4.50'))
    await client.payins.refund(refundOf(2, '5.99'))
    const error = await refusalOf(refundOf(3, '0.02'))
    expect(error).toMatchObject({
      code: 'refund_refused',
      reason: 'above-paid',
      outcome: 'not-accepted',
      idPayin: 'order-1',
      idPayout: refundId('order-1', 3),
      number: 3,
    })
    expect(error.message).toBe(
      'payins.refund: refund 3 was not made, and no payout was sent: 10.50 EUR were paid and 10.49 are given back already, so at most 0.01 EUR can be refunded.',
    )
    await client.payins.refund(refundOf(3, '0.01'))
  })

  test('refuses a number whose predecessor is not there', async () => {
    expect(await refusalOf(refundOf(2, '1'))).toMatchObject({ code: 'refund_refused', reason: 'gap' })
  })

  test('refuses another currency', async () => {
    const money = { amount: 1, currencyCode: 'USD' }
    expect(await refusalOf(refundOf(1, '1', { money }))).toMatchObject({ reason: 'currency' })
  })

  test.each(['PENDING', 'FAILED', 'REVERSED'])('refuses a payin that is %s', async (status) => {
    sandbox.payins.get('order-1').setStatus(status)
    expect(await refusalOf(refundOf(1, '1'))).toMatchObject({ reason: 'not-paid' })
  })

  test('counts a refund that has failed, unless the caller says which have', async () => {
    const { idPayout } = await client.payins.refund(refundOf(1, '10.50'))
    sandbox.payouts.get(idPayout).setStatus('FAILED')
    expect(await refusalOf(refundOf(2, '10.50'))).toMatchObject({ reason: 'above-paid' })
    const isFailed = ({ process }: { process: { status: string } }) => process.status === 'FAILED'
    await client.payins.refund(refundOf(2, '10.50'), { isFailed })
    expect(sandbox.payouts.size).toBe(2)
  })

  test('takes what was paid from where the caller says that it stands', async () => {
    const paidMoneyOf = () => ({ amount: 3, currencyCode: 'EUR' })
    expect(await refusalOf(refundOf(1, '4'), { paidMoneyOf })).toMatchObject({ reason: 'above-paid' })
    expect(await refusalOf(refundOf(1, '4'), { paidMoneyOf: () => undefined })).toMatchObject({
      reason: 'unreadable',
    })
  })

  test.each([
    [{ number: 0 }, 'number must be a whole number from 1 to 100'],
    [{ number: 1.5 }, 'number must be a whole number from 1 to 100'],
    [{ idPayin: '..' }, 'idPayin must not be'],
    [{ account: undefined }, 'account is missing'],
    [{ money: { amount: '1.005', currencyCode: 'EUR' } }, 'EUR has 2'],
    [{ paymentOperatorCode: 1 }, 'paymentMethod.paymentOperatorCode must be a string'],
    [{ idPayout: 'order-1-refund' }, 'idPayout is not a field of a refund'],
  ])('refuses %j before anything is sent', async (wrong, why) => {
    const sent = sandbox.requests.length
    const refund = Object.assign(refundOf(1, '1'), wrong)
    const error = await refusalOf(refund)
    expect(error).toMatchObject({ code: 'invalid_input' })
    expect(error.message).toContain(why)
    expect(sandbox.requests.length).toBe(sent)
  })
})

describe('payins.refunds', () => {
  test('lists the refunds of a payin with their sums', async () => {
    expect(await client.payins.refunds('order-1')).toEqual({
      idPayin: 'order-1',
      paid: { amount: 10.5, currencyCode: 'EUR' },
      refunded: { amount: 0, currencyCode: 'EUR' },
      left: { amount: 10.5, currencyCode: 'EUR' },
      refunds: [],
    })
    await client.payins.refund(refundOf(1, '0.10'))
    const { idPayout } = await client.payins.refund(refundOf(2, '0.20'))
    sandbox.payouts.get(idPayout).setStatus('FAILED')
    const isFailed = ({ process }: { process: { status: string } }) => process.status === 'FAILED'
    expect(await client.payins.refunds('order-1', { isFailed })).toMatchObject({
      refunded: { amount: 0.1, currencyCode: 'EUR' },
      left: { amount: 10.4, currencyCode: 'EUR' },
      refunds: [{ number: 1 }, { number: 2, idPayout }],
    })
  })
})
