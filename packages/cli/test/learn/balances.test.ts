import { describe, test, vi } from 'vitest'
import type { BalanceProfile } from '../../../../src/client/profile/gateway-profile.js'
import { HandGateway } from '../../../../test/profile/gateways/hand-gateway.js'
import { learnOptions, learnt } from '../../../../test/profile/gateways/support.js'
import { privatePem } from '../../../../test/support/vectors.js'
import { createSandbox } from '../../../sandbox/src/index.js'

// They ask over sockets, on machines that may have other things to do.
vi.setConfig({ testTimeout: 60_000 })

const feeIsTaken = 'no payout with a fee came back'

describe.concurrent.each<[counts: BalanceProfile, learnt: BalanceProfile]>([
  [{}, { pendingPayins: false, pendingPayouts: false }],
  [
    { pendingPayouts: true, fees: 'apart' },
    { pendingPayins: false, pendingPayouts: true, fees: 'apart' },
  ],
  [
    { pendingPayins: true, pendingPayouts: true, fees: 'kept' },
    { pendingPayins: true, pendingPayouts: true },
  ],
])('balances that count %j', (balanceCounts, balances) => {
  test('are learnt, but not whether a taken fee is given back', async ({ expect, onTestFinished }) => {
    const sandbox = createSandbox({
      merchantCode: 'M-0001',
      privateKey: privatePem,
      rateLimit: false,
      callbackRetryAfterMs: 50,
      settleAfterMs: false,
      balanceCounts,
      // Both come to their end once the payout has been looked up.
      onExchange({ request, status }) {
        if (status !== 200 || !request.path.startsWith('/payouts/') || request.method !== 'GET') return
        for (const payment of [...sandbox.payins.list(), ...sandbox.payouts.list()]) {
          if (payment.status === 'PENDING') payment.settle('SUCCESS')
        }
      },
    })
    onTestFinished(() => sandbox.close())
    await sandbox.listen()
    const { profile } = await learnt(learnOptions(sandbox.clientOptions().baseUrl))
    expect(profile.balances).toEqual(balances)
    expect(profile.notSeen?.['balances.fees']).toBe(balances.fees === undefined ? feeIsTaken : undefined)
  })
})

class Ledger extends HandGateway {
  #readings: number[]
  constructor(...readings: number[]) {
    super()
    this.#readings = readings
  }
  override account(path: string) {
    if (path !== '/balances') return super.account(path)
    return { status: 200, body: { amount: this.#readings.shift() ?? 0, currencyCode: 'EUR' } }
  }
}

const own = { amount: 7, currencyCode: 'EUR' }

describe.concurrent.each<[why: string, gateway: () => HandGateway, requests?: object]>([
  ['the balance was not seen to move', () => new HandGateway()],
  // The account's list is read first; the balance is 0 in the end.
  ['it moved otherwise than by this payin and this payout', () => new Ledger(5, 5, 5, 5)],
  ['no balance of their currency could be read', () => new Ledger(Number.NaN, Number.NaN)],
  [
    'the payin and the payout did not both succeed',
    () => Object.assign(new HandGateway(), { steps: ['CREATED', 'FAILED'] }),
  ],
  [
    'the payin and the payout are not both of --money',
    () => new HandGateway(),
    { payout: { paymentRequested: { money: own } } },
  ],
])('nothing of the balances is learnt where %s', (why, make, requests) => {
  test('and the profile says so', async ({ expect, onTestFinished }) => {
    const gateway = make()
    onTestFinished(() => gateway.close())
    const { requests: usual, ...options } = learnOptions(await gateway.listen())
    const { profile } = await learnt({ ...options, requests: { ...usual, ...requests } })
    expect({ balances: profile.balances, why: profile.notSeen?.balances }).toEqual({
      balances: undefined,
      why,
    })
  })
})
