import { isGatewayError, money } from '../../../../src/index.js'
import type { RehearsalApplication } from '../../src/index.js'
import { type Gateway, openGateway } from './gateway.js'

/** A small shop in this process, and the gateway whose page rehearses it. */
export interface RehearsedShop {
  readonly gateway: Gateway
  /** Whether an order makes an id of its own for each try: two payments for one cart. */
  makesNewIds: boolean
}

export async function openRehearsedShop(): Promise<RehearsedShop> {
  let tries = 0
  const ids = new Map<number, string>()
  const idFor = (cart: number) => {
    tries += 1
    const id = shop.makesNewIds ? `cart-${cart}-try-${tries}` : `cart-${cart}`
    ids.set(cart, id)
    return id
  }
  const application: RehearsalApplication = {
    async act(cart) {
      try {
        await shop.gateway.client.payins.create({
          idPayin: idFor(cart),
          paymentRequested: { money: money('19.60', 'EUR') },
          paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
          callbackUrl: shop.gateway.callbackUrl,
        })
        return { isDone: true, says: 'answered 200' }
      } catch (error) {
        return { isDone: false, says: isGatewayError(error) ? 'answered 502' : 'answered 500' }
      }
    },
    async status(cart) {
      const { process } = await shop.gateway.client.payins.retrieve(ids.get(cart) ?? '')
      return process?.status === 'SUCCESS' ? 'paid' : 'not paid'
    },
  }
  const shop = { gateway: await openGateway({}, application), makesNewIds: false }
  return shop
}
