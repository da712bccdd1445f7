import { describe, expect, it } from 'vitest'
import { caught } from '../../support/caught.js'
import { headersOf, mockGateway } from '../../support/gateway.js'

const gateway = mockGateway()

const request = {
  paymentRequested: { money: { amount: '10.50', currencyCode: 'EUR' } },
  paymentMethod: {
    account: { accountName: 'Jane Roe', accountNumber: '0012345678' },
    paymentMethodCode: 'VAPAY',
    paymentOperatorCode: 'BANK_A',
    emailAddress: 'jane@shop.example',
  },
  callbackUrl: 'https://shop.example/callbacks',
  returnUrl: 'https://shop.example/thanks',
}

describe('payins.create', () => {
  it('after a 409 gives the payin that was found, and says what nobody could compare', async () => {
    const found = {
      paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
      process: { status: 'PENDING' },
      paymentMethodResponse: { idPayin: 'order 1', paymentMethodCode: 'VAPAY' },
    }
    gateway.answer(({ method }) =>
      method === 'POST' ? Response.json({}, { status: 409 }) : Response.json(found),
    )
    expect(await gateway.client().payins.create({ idPayin: 'order 1', ...request })).toEqual({
      ...found,
      idPayin: 'order 1',
      replayed: true,
      notCompared: [
        'paymentMethod.paymentOperatorCode',
        'paymentMethod.account.accountNumber',
        'paymentMethod.account.accountName',
      ],
    })
    expect(gateway.business().map(({ method }) => method)).toEqual(['POST', 'GET'])
  })
})

describe('payins.retrieve', () => {
  it('sends GET /payins/{idPayin} without a body, and leaves the response as it came', async () => {
    const found = { process: { status: 'NEW_KIND_OF_STATUS' }, more: [1, null] }
    gateway.answer(found)
    expect(await gateway.client().payins.retrieve('a?b#c')).toEqual(found)
    expect(gateway.business()).toEqual([
      { method: 'GET', target: '/payins/a%3Fb%23c', headers: headersOf(false), body: '' },
    ])
  })

  it('says nothing of whether the payin exists when it is not found', async () => {
    gateway.answer(() => new Response('', { status: 404 }))
    const error = await caught(() => gateway.client().payins.retrieve('order-1'))
    expect(error).toMatchObject({ code: 'not_found', status: 404, idPayin: 'order-1' })
    expect(error).not.toHaveProperty('outcome')
    expect(error.message).toContain('API version')
  })
})

describe('payins.customerAccount', () => {
  it('says that its path is a gap of the specification while the option is not set', async () => {
    const error = await caught(() => gateway.client().payins.customerAccount('order-1'))
    expect(error).toMatchObject({ code: 'configuration', option: 'customerAccountPath', idPayin: 'order-1' })
    expect(error.message).toMatch(
      /^customerAccountPath is not set: the specification .*; nothing was sent\.$/,
    )
    expect(gateway.seen).toEqual([])
  })
})
