import { expect } from 'vitest'
import type { GatewayProfile } from '../../../src/client/profile/gateway-profile.js'
import { GatewayClient, isFinal, isGatewayError, isPaid, money } from '../../../src/index.js'
import { caught } from '../../support/caught.js'
import { privatePem } from '../../support/vectors.js'

const paymentRequested = { money: money('12.50', 'EUR') }

/** Everything that a client does, with a profile and no option of the gateway's by hand. */
export async function useWholeApi(baseUrl: string, profile: GatewayProfile): Promise<void> {
  const client = new GatewayClient({
    baseUrl,
    merchantCode: 'M-0001',
    privateKey: privatePem,
    profile,
    retries: 0,
  })
  const wait = { maxWaitMs: 10_000 }
  try {
    await client.merchantInfo.retrieve()
    await client.balances.list({ currencies: ['EUR'] })
    await client.currencies.list()
    await client.paymentOperators.list()
    await client.payins.paymentOptions({ amount: 12.5, currencyCode: 'EUR' })
    const idPayin = `api-${crypto.randomUUID()}`
    const method = { paymentMethodCode: 'VAPAY' } as const
    const payin = await client.payins.create({ idPayin, paymentRequested, paymentMethod: method })
    expect(payin.replayed).toBe(false)
    const again = await client.payins.create({ idPayin, paymentRequested, paymentMethod: method })
    expect(again.replayed).toBe(true)
    // Payments of these gateways go on with every look-up, and waits would take their time between two.
    await client.payins.retrieve(idPayin)
    const paid = await client.payins.waitFor(idPayin, wait)
    expect([isFinal(paid), isPaid(paid)]).toEqual([true, true])
    if (profile.customerAccountPath !== undefined) await client.payins.customerAccount(idPayin)
    await client.authTokens.createByAction({ action: 'PAYIN_INFO', idPayment: idPayin })
    const idPayout = `api-${crypto.randomUUID()}`
    await client.payouts.create({
      idPayout,
      paymentRequested,
      paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '0012345678' } },
    })
    await client.payouts.retrieve(idPayout)
    await client.payouts.retrieve(idPayout)
    const sent = await client.payouts.waitFor(idPayout, wait)
    expect([isFinal(sent), isPaid(sent)]).toEqual([true, true])
    const unknown = await caught(() => client.payins.retrieve('api-unknown'))
    expect(isGatewayError(unknown) && 'status' in unknown && unknown.status).toBe(
      profile.refusals?.['payin-unknown']?.status,
    )
  } finally {
    await client.close()
  }
}
