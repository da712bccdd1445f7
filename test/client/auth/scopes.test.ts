import type { GatewayClient } from 'merchant-gateway'
import { describe, expect, it } from 'vitest'
import type { SomeOptions } from '../../support/client-options.js'
import { mockGateway } from '../../support/gateway.js'

const gateway = mockGateway()
const everyPayin = ['POST /payins/.*', 'GET /payins/.*']
const payment = (amount: number) => ({
  paymentRequested: { money: { amount, currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'X' },
})

type Call = (client: GatewayClient) => Promise<unknown>
const payin: Call = ({ payins }) => payins.retrieve('a')
const otherPayin: Call = ({ payins }) => payins.retrieve('b')
const payout: Call = ({ payouts }) => payouts.retrieve('a.b')
const payoutOf = (amount: number): Call => {
  return ({ payouts }) => payouts.create({ idPayout: 'a.b', ...payment(amount) })
}
const paymentOptions: Call = ({ payins }) => payins.paymentOptions({ amount: 1, currencyCode: 'EUR' })
const account: Call = ({ payins }) => payins.customerAccount('a.b')
const otherAccount: Call = ({ payins }) => payins.customerAccount('c')
const requestFor = (operation: string): Call => {
  return (client) => client.request({ method: 'GET', path: '/x', operations: [operation] })
}

/** What each token may do that these calls need together. */
async function grantsOf(options: SomeOptions, ...calls: readonly Call[]): Promise<unknown[]> {
  const client = gateway.client(options)
  for (const call of calls) await call(client).catch(() => {})
  return gateway.tokenRequests().map(({ body }) => {
    const { merchantCode: _, validitySecs: _secs, timestamp: _time, ...grant } = JSON.parse(body)
    return grant
  })
}

const here = { customerAccountPath: '/payins/{idPayin}/account' }
const elsewhere = { customerAccountPath: '/v2.1/{idPayin}' }

describe('one token for each family of endpoints', () => {
  it.each<readonly [string, SomeOptions, readonly Call[], readonly (readonly string[])[]]>([
    [
      'serves every payin, and what stands below',
      here,
      [payin, otherPayin, paymentOptions, account],
      [everyPayin],
    ],
    ['keeps payouts apart', {}, [payin, payout], [everyPayin, ['POST /payouts/.*', 'GET /payouts/.*']]],
    [
      'serves customer account data elsewhere, whose path is no pattern',
      elsewhere,
      [payin, account, otherAccount],
      [everyPayin, ['GET /v2\\.1/.*']],
    ],
    [
      'asks for the operations that the option names',
      { operations: { payins: ['GET /payins/.*'] } },
      [payin],
      [['GET /payins/.*']],
    ],
    [
      'is another one for each list of operations of your own',
      {},
      [requestFor('GET /x'), requestFor('GET /.*')],
      [['GET /x'], ['GET /.*']],
    ],
  ])('%s', async (_what, options, calls, operations) => {
    expect(await grantsOf(options, ...calls)).toEqual(operations.map((one) => ({ operations: one })))
  })
})

describe('one token for each payment', () => {
  const tokens = 'per-payment'
  it.each<readonly [string, SomeOptions, readonly Call[], readonly object[]]>([
    [
      'limits a payin’s by action, as the specification has it',
      {},
      [payin, payin, otherPayin],
      [
        { action: 'PAYIN_CREATE', idPayment: 'a' },
        { action: 'PAYIN_CREATE', idPayment: 'b' },
      ],
    ],
    [
      'limits a payout’s by operations, since no action is named for payouts, and its create to the money',
      {},
      [payout, payoutOf(10.5), payoutOf(11)],
      [
        { operations: ['GET /payouts/a\\.b'] },
        { operations: ['POST /payouts/a\\.b'], money: { amount: 10.5, currencyCode: 'EUR' } },
        { operations: ['POST /payouts/a\\.b'], money: { amount: 11, currencyCode: 'EUR' } },
      ],
    ],
    [
      'limits the other calls to their one endpoint',
      here,
      [paymentOptions, account, requestFor('GET /x')],
      [
        { operations: ['POST /payins/!availablePaymentOptions'] },
        { operations: ['GET /payins/a\\.b/account'] },
        { operations: ['GET /x'] },
      ],
    ],
    ['takes a path as no pattern', elsewhere, [account], [{ operations: ['GET /v2\\.1/a\\.b'] }]],
  ])('%s', async (_what, options, calls, grants) => {
    expect(await grantsOf({ ...options, tokens }, ...calls)).toEqual(grants)
  })
})
