import { expect } from 'vitest'
import { account, newKey, type ShopProcess, tea } from './shop.js'

/** What may be done to the shop between the steps, such as killing it. */
export type Disturb = (step: 'order' | 'refund') => Promise<void>

/** Orders, pays, and gets the money back, whatever happens to the shop meanwhile. */
export async function buyAndReturn(shop: ShopProcess, disturb: Disturb = async () => {}): Promise<void> {
  const path = `/orders/${newKey()}`
  const { sandbox } = shop
  const disturbed = disturb('order')
  // Each answer is a point at which the shop may be killed, so it is asked no more than is needed.
  await shop.insist(path, tea, ({ status, payTo }) => status === 'PENDING' && payTo !== null)
  await disturbed
  sandbox.payins.list()[0]?.settle('SUCCESS')
  await shop.called('payin', 'SUCCESS')
  await shop.insist(path, undefined, ({ status }) => status === 'SUCCESS')

  const disturbedAgain = disturb('refund')
  await shop.insist(`${path}/refund`, {}, ({ refund }) => refund?.status === 'PENDING')
  await disturbedAgain
  sandbox.payouts.list()[0]?.settle('SUCCESS')
  await shop.called('payout', 'SUCCESS')
  const order = await shop.insist(path, undefined, ({ refund }) => refund?.status === 'SUCCESS')
  expect(order).toMatchObject({ status: 'SUCCESS', isFinal: true, refund: { isFinal: true } })
  expectOneOfEach(shop)
}

/** One payin and one payout, of the order's money, and every try asked for the same. */
export function expectOneOfEach({ sandbox }: ShopProcess): void {
  const money = { amount: 19.6, currencyCode: 'EUR' }
  expect(sandbox.payins.list().map((payin) => payin.money)).toEqual([money])
  expect(sandbox.payouts.list().map((payout) => payout.money)).toEqual([money])
  const creates = sandbox.requests.filter(
    ({ method, idPayin, idPayout }) => method === 'POST' && (idPayin ?? idPayout),
  )
  expect(new Set(creates.map(({ path, bodyText }) => path + bodyText)).size).toBe(2)
  for (const { bodyText } of creates) {
    expect(JSON.parse(bodyText)).toMatchObject({
      paymentRequested: { money },
      paymentMethod: { account, paymentOperatorCode: 'HARBOUR' },
    })
  }
}
