import { describe, expect, it } from 'vitest'
import { money } from '../../../src/client/schemas/money.js'
import { caught } from '../../support/caught.js'
import { headersOf, isSigned, mockGateway, tokenHeaders } from '../../support/gateway.js'

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

const created = {
  paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
  paymentMethodResponse: { idPayin: 'order 1', reference: '8077', tomorrow: 'new' },
}

describe('payins.create', () => {
  it('sends POST /payins/{idPayin}, to the byte', async () => {
    gateway.answer(created)
    const payin = await gateway.client().payins.create({ idPayin: 'order 1', ...request })
    expect(payin).toEqual({ ...created, idPayin: 'order 1', replayed: false })
    expect(gateway.business()).toEqual([
      {
        method: 'POST',
        target: '/payins/order%201',
        headers: headersOf(true),
        body:
          '{"paymentRequested":{"money":{"amount":10.5,"currencyCode":"EUR"}},' +
          '"paymentMethod":{"account":{"accountName":"Jane Roe","accountNumber":"0012345678"},' +
          '"paymentMethodCode":"VAPAY","paymentOperatorCode":"BANK_A","emailAddress":"jane@shop.example"},' +
          '"callbackUrl":"https://shop.example/callbacks","returnUrl":"https://shop.example/thanks"}',
      },
    ])
  })

  it('uses one cached token with the operations of payins, so that a create costs one request', async () => {
    gateway.answer(({ target }) =>
      Response.json({ ...created, paymentMethodResponse: { idPayin: target.slice('/payins/'.length) } }),
    )
    const client = gateway.client()
    for (const idPayin of ['a', 'b', 'c']) await client.payins.create({ idPayin, ...request })
    expect(gateway.seen.map(({ target }) => target)).toEqual([
      '/auth-tokens',
      '/payins/a',
      '/payins/b',
      '/payins/c',
    ])
    const [token] = gateway.tokenRequests()
    // The client's own ask for up to a minute less, so that no two are equal.
    expect(token?.body.replace(/(?<="validitySecs":)(?:8[4-9]\d|900)(?=,)/, '900')).toBe(
      '{"merchantCode":"M-0001","validitySecs":900,"operations":["POST /payins/.*","GET /payins/.*"],"timestamp":1700000000}',
    )
    expect(token?.headers).toEqual(tokenHeaders())
    expect(token !== undefined && isSigned(token)).toBe(true)
  })

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

describe('payins.paymentOptions', () => {
  it('sends POST /payins/!availablePaymentOptions with the money, to the byte', async () => {
    const options = {
      data: [{ paymentMethodCode: 'VAPAY', paymentOperators: [{ code: 'A', name: 'Bank A' }] }],
    }
    gateway.answer(options)
    expect(await gateway.client().payins.paymentOptions(money('10.50', 'EUR'))).toEqual(options)
    expect(gateway.business()).toEqual([
      {
        method: 'POST',
        target: '/payins/!availablePaymentOptions',
        headers: headersOf(true),
        body: '{"money":{"amount":10.5,"currencyCode":"EUR"}}',
      },
    ])
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

  it('sends GET to the path of the option, with the id escaped', async () => {
    gateway.answer({ accountNumber: '0012' })
    const client = gateway.client({ customerAccountPath: '/payins/{idPayin}/customer-account' })
    expect(await client.payins.customerAccount('a $& b')).toEqual({ accountNumber: '0012' })
    expect(gateway.business()).toEqual([
      {
        method: 'GET',
        target: '/payins/a%20%24%26%20b/customer-account',
        headers: headersOf(false),
        body: '',
      },
    ])
  })
})
