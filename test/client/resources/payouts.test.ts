import { describe, expect, it } from 'vitest'
import { caught } from '../../support/caught.js'
import { headersOf, mockGateway } from '../../support/gateway.js'

const gateway = mockGateway()

const request = {
  paymentRequested: { money: { amount: 25, currencyCode: 'EUR' } },
  paymentMethod: {
    paymentMethodCode: 'BANK_TRANSFER',
    account: { accountName: 'Jane Roe', accountNumber: '0012345678' },
    paymentOperatorCode: 'BANK_A',
  },
}

const created = {
  paymentRequested: request.paymentRequested,
  paymentMethodResponse: { idPayout: 'order-1', paymentMethodCode: 'BANK_TRANSFER' },
}

const found = {
  ...created,
  process: { status: 'SUCCESS', createdAt: '2026-11-21T07:00:00.000Z', isTest: true },
  fee: { amount: 0.25, currencyCode: 'EUR' },
}

describe('payouts.create', () => {
  it('makes a UUID where no id is given, and the id is on the result', async () => {
    gateway.answer(({ target }) =>
      Response.json({ ...created, paymentMethodResponse: { idPayout: target.slice('/payouts/'.length) } }),
    )
    const { idPayout } = await gateway.client().payouts.create(request)
    expect(idPayout).toMatch(/^[0-9a-f-]{36}$/)
    expect(gateway.business()[0]?.target).toBe(`/payouts/${idPayout}`)
  })

  it('after a 409 says that nobody compared the account, which the gateway never shows', async () => {
    gateway.answer(({ method }) =>
      method === 'POST' ? new Response('', { status: 409 }) : Response.json(found),
    )
    expect(await gateway.client().payouts.create({ idPayout: 'order-1', ...request })).toEqual({
      ...found,
      idPayout: 'order-1',
      replayed: true,
      existedBefore: true,
      notCompared: [
        'paymentMethod.paymentOperatorCode',
        'paymentMethod.account.accountNumber',
        'paymentMethod.account.accountName',
      ],
    })
  })
})

describe('payouts.retrieve', () => {
  it('sends GET /payouts/{idPayout} without a body, and leaves the response as it came', async () => {
    gateway.answer(found)
    expect(await gateway.client().payouts.retrieve('order-1')).toEqual(found)
    expect(gateway.business()).toEqual([
      { method: 'GET', target: '/payouts/order-1', headers: headersOf(false), body: '' },
    ])
  })

  it('refuses a response without a status, which the specification promises', async () => {
    gateway.answer(created)
    const error = await caught(() => gateway.client().payouts.retrieve('order-1'))
    expect(error).toMatchObject({ code: 'unusable_response', issues: ['process: expected object'] })
  })

  it('refuses a response about another payout', async () => {
    gateway.answer({ ...found, paymentMethodResponse: { idPayout: 'order-2' } })
    const error = await caught(() => gateway.client().payouts.retrieve('order-1'))
    expect(error).toMatchObject({
      code: 'unusable_response',
      issues: ['paymentMethodResponse.idPayout: not the id that was asked for'],
    })
  })
})

it('payouts.waitFor gives the payout when it is final', async () => {
  gateway.answer(found)
  expect(await gateway.client().payouts.waitFor('order-1', { maxWaitMs: 1_000 })).toEqual(found)
})

it('payouts.watch tells of it once', async () => {
  gateway.answer(found)
  const seen: unknown[] = []
  for await (const payout of gateway.client().payouts.watch('order-1', { maxWaitMs: 1_000 }))
    seen.push(payout)
  expect(seen).toEqual([found])
})

it('a status is where the option statuses says, for waits and for callbacks', async () => {
  const shown = (state: string) => ({
    paymentRequested: { money: { amount: 25, currencyCode: 'EUR' } },
    process: { status: 'SEE_STATE' },
    paymentMethodResponse: { idPayout: 'w-1' },
    state,
  })
  gateway.answer(shown('BOUNCED'))
  const client = gateway.client({ statuses: { field: 'state', final: ['BOUNCED'] } })
  const seen: unknown[] = []
  for await (const payout of client.payouts.watch('w-1', { maxWaitMs: 1000 })) seen.push(payout)
  expect(seen).toEqual([shown('BOUNCED')])
  const port = client.attachCallbacks({ urlFor: () => 'https://shop.example', arrive: () => false })
  const found = await port.payout.lookUp('w-1', 'callback')
  expect([port.statusOf?.(found), port.isFinal(found)]).toEqual(['BOUNCED', true])
})
