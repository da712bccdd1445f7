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

const ofPayouts = ['POST /payouts/.*', 'GET /payouts/.*']
const own = { operations: { payins: ['GET /payins/.*'] } }
const [oneX, anyX] = [requestFor('GET /x'), requestFor('GET /.*')]

describe('one token for each family of endpoints', () => {
  it.each<readonly [string, SomeOptions, readonly Call[], readonly (readonly string[])[]]>([
    [
      'serves every payin, and what is below',
      here,
      [payin, otherPayin, paymentOptions, account],
      [everyPayin],
    ],
    ['keeps payouts apart', {}, [payin, payout], [everyPayin, ofPayouts]],
    // Whose path is no pattern.
    [
      'serves account data elsewhere',
      elsewhere,
      [payin, account, otherAccount],
      [everyPayin, ['GET /v2\\.1/.*']],
    ],
    ['asks for what the option names', own, [payin], [['GET /payins/.*']]],
    ['is another one for each list of operations of your own', {}, [oneX, anyX], [['GET /x'], ['GET /.*']]],
  ])('%s', async (_what, options, calls, operations) => {
    expect(await grantsOf(options, ...calls)).toEqual(operations.map((one) => ({ operations: one })))
  })
})

describe('one token for each payment', () => {
  const ofPayin = (idPayment: string) => ({ action: 'PAYIN_CREATE', idPayment })
  const creating = (amount: number) => ({
    operations: ['POST /payouts/a\\.b'],
    money: { amount, currencyCode: 'EUR' },
  })
  const endpoints = ['POST /payins/!availablePaymentOptions', 'GET /payins/a\\.b/account', 'GET /x']
  const one = (operation: string) => ({ operations: [operation] })

  it.each<readonly [string, SomeOptions, readonly Call[], readonly object[]]>([
    ['limits a payin’s by action', {}, [payin, payin, otherPayin], [ofPayin('a'), ofPayin('b')]],
    [
      'limits a payout’s by operations, since no action is named for it, and its create to the money',
      {},
      [payout, payoutOf(10.5), payoutOf(11)],
      [one('GET /payouts/a\\.b'), creating(10.5), creating(11)],
    ],
    ['limits other calls to their endpoint', here, [paymentOptions, account, oneX], endpoints.map(one)],
    ['takes a path as no pattern', elsewhere, [account], [one('GET /v2\\.1/a\\.b')]],
  ])('%s', async (_what, options, calls, grants) => {
    expect(await grantsOf({ ...options, tokens: 'per-payment' }, ...calls)).toEqual(grants)
  })
})
