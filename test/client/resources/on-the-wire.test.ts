import { describe, expect, it } from 'vitest'
import { rowsOf } from '../../support/failures.js'
import { bearer, headersOf, isSigned, mockGateway, tokenHeaders } from '../../support/gateway.js'
import { customerAccountPath, methods } from '../../support/methods.js'

const gateway = mockGateway()

const payment =
  '{"paymentRequested":{"money":{"amount":10.5,"currencyCode":"EUR"}},"paymentMethod":{"paymentMethodCode":"BANK_TRANSFER","paymentOperatorCode":"HARBOUR","account":{"accountName":"Jana Novak","accountNumber":"000123-0123456789"},"emailAddress":"jana@example.com"}}'
const payins = '["POST /payins/.*","GET /payins/.*"]'
const payouts = '["POST /payouts/.*","GET /payouts/.*"]'
const account = '["GET /merchant-info","GET /balances","GET /currencies","GET /payment-operators"]'

/** Each method: its request, the body of it, and the operations of its token. */
const table = `
  payins.create          | POST /payins/o%20$%26?           | ${payment} | ${payins}
  payins.retrieve        | GET /payins/o%20$%26?            |            | ${payins}
  payins.paymentOptions  | POST /payins/!availablePaymentOptions | {"money":{"amount":77.31,"currencyCode":"EUR"}} | ${payins}
  payins.customerAccount | GET /payins/o%20$%26?/account    |            | ${payins}
  payouts.create         | POST /payouts/o%20$%26?          | ${payment} | ${payouts}
  payouts.retrieve       | GET /payouts/o%20$%26?           |            | ${payouts}
  balances.list          | GET /balances                    |            | ${account}
  currencies.list        | GET /currencies                  |            | ${account}
  merchantInfo.retrieve  | GET /merchant-info               |            | ${account}
  paymentOperators.list  | GET /payment-operators           |            | ${account}
  request                | GET /x                           |            | ["GET /x"]`
  // The dollar sign and the question mark are escaped as well.
  .replaceAll('$%26?', '%24%26%3F')

/** A token request: what it asks for. */
const minting = `
  authTokens.create         | /auth-tokens           | "validitySecs":900,"operations":["GET /x"]
  authTokens.createByAction | /auth-tokens-by-action | "validitySecs":900,"action":"PAYIN_INFO","idPayment":"o $&?"
  authTokens.shareable      | /auth-tokens-by-action | "validitySecs":60,"action":"PAYIN_INFO","idPayment":"o $&?"`

describe('what goes out, to the byte', () => {
  it.each(rowsOf(table))('%s is %s', async (name = '', route = '', body = '', operations = '') => {
    gateway.answer({ paymentMethodResponse: { idPayin: 'o $&?', idPayout: 'o $&?' } })
    await methods[name]?.(gateway.client({ customerAccountPath }), 'o $&?').catch(() => undefined)
    const [method, target] = route.split(' ')
    expect(gateway.business()).toEqual([{ method, target, headers: headersOf(body !== ''), body }])
    const [token] = gateway.tokenRequests()
    expect(token).toMatchObject({ method: 'POST', target: '/auth-tokens', headers: tokenHeaders() })
    // The client's own ask for up to a minute less, so that no two are equal.
    expect(token?.body.replace(/(?<="validitySecs":)(?:8[4-9]\d|900)(?=,)/, '900')).toBe(
      `{"merchantCode":"M-0001","validitySecs":900,"operations":${operations},"timestamp":1700000000}`,
    )
    expect(token !== undefined && isSigned(token)).toBe(true)
  })

  it.each(rowsOf(minting))('%s is POST %s', async (name = '', target, asked) => {
    const result = await methods[name]?.(gateway.client(), 'o $&?')
    const body = `{"merchantCode":"M-0001",${asked},"timestamp":1700000000}`
    expect(gateway.seen).toEqual([{ method: 'POST', target, headers: tokenHeaders(), body }])
    expect(gateway.seen.every(isSigned)).toBe(true)
    if (name === 'authTokens.shareable') expect(result).toBe(bearer)
    else expect([Object(result).token.reveal(), Object(result).lifetimeMs]).toEqual([bearer, 900_000])
  })

  it('is one token for three payins, and one for all account data', async () => {
    const client = gateway.client()
    for (const name of ['currencies.list', 'paymentOperators.list', 'balances.list', 'merchantInfo.retrieve'])
      await methods[name]?.(client, '')
    for (const id of ['a', 'b', 'c']) await client.payins.retrieve(id)
    expect(
      gateway.seen.map(({ target }) => target).filter((target) => target === '/auth-tokens'),
    ).toHaveLength(2)
  })
})
