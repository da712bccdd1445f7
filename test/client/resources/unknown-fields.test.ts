import { describe, expect, it } from 'vitest'
import type { GatewayClient } from '../../../src/client/client.js'
import { caught } from '../../support/caught.js'
import { isSigned, mockGateway } from '../../support/gateway.js'

const gateway = mockGateway()

type Method = (client: GatewayClient, more: object) => Promise<unknown>
const operations = ['GET /x']
const money = { amount: 1, currencyCode: 'EUR' }

const methods: readonly (readonly [name: string, method: Method, wrong: string, meant: string])[] = [
  [
    'authTokens.create',
    (c, more) => c.authTokens.create({ operations, ...more }),
    'validity',
    'validitySecs',
  ],
  [
    'authTokens.createByAction',
    (c, more) => c.authTokens.createByAction({ action: 'PAYIN_INFO', idPayment: 'a', ...more }),
    'validity_secs',
    'validitySecs',
  ],
  [
    'authTokens.shareable',
    (c, more) => c.authTokens.shareable({ idPayin: 'a', validitySecs: 60, ...more }),
    'idPayn',
    'idPayin',
  ],
  ['balances.list', (c, more) => c.balances.list({ ...more }), 'currency', 'currencies'],
  [
    'payins.paymentOptions',
    (c, more) => c.payins.paymentOptions({ ...money, ...more }),
    'currency',
    'money.currencyCode',
  ],
  [
    'request',
    (c, more) => c.request({ method: 'GET', path: '/x', operations, ...more }),
    'idempotant',
    'idempotent',
  ],
]

describe.each(methods)('%s', (_name, method, wrong, meant) => {
  it(`refuses ${wrong}, and names ${meant}`, async () => {
    const error = await caught(() => method(gateway.client(), { [wrong]: undefined }))
    expect(error.code).toBe('invalid_input')
    expect(error.field).toBe(meant.startsWith('money.') ? `money.${wrong}` : wrong)
    expect(error.message).toMatch(new RegExp(`; did you mean ${meant}\\? nothing was sent\\.$`))
    expect(gateway.seen).toEqual([])
  })

  it('refuses what resembles nothing, and a symbol', async () => {
    for (const more of [{ zzz: 1 }, { [Symbol('a')]: 1 }])
      expect(await caught(() => method(gateway.client(), more))).toMatchObject({ code: 'invalid_input' })
    expect(gateway.seen).toEqual([])
  })
})

describe('money of a token', () => {
  it('is a plain decimal in the bytes that are signed, and may have more fields', async () => {
    const limit = { amount: '0.0000001', currencyCode: 'XYZ', extra: { scale: 7 } }
    await gateway.client().authTokens.create({ operations, money: limit })
    const [sent] = gateway.seen
    expect(sent?.body).toContain('"money":{"amount":0.0000001,"currencyCode":"XYZ","scale":7}')
    expect(sent !== undefined && isSigned(sent)).toBe(true)
  })
})
