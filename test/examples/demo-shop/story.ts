import { expect } from 'vitest'
import { account, newKey, type ShopProcess, tea, type View } from './shop.js'

/** What may be done to the shop between the steps, such as killing it. */
export type Disturb = (step: 'order' | 'refund') => Promise<void>

const statusOfRefund = ({ refunds }: View, number: number) =>
  refunds.find((refund) => refund.number === number)?.status

/** Orders, pays, and gets the money back in two parts, whatever happens to the shop meanwhile. */
export async function buyAndReturn(shop: ShopProcess, disturb: Disturb = async () => {}): Promise<void> {
  const path = `/orders/${newKey()}`
  const { sandbox } = shop
  const disturbed = disturb('order')
  // Each answer is a point at which the shop may be killed, so it is asked no more than is needed.
  await shop.insist(path, tea, ({ status, payTo }) => status === 'PENDING' && payTo !== null)
  await disturbed
  sandbox.payins.list()[0]?.pay()
  await shop.called('payin', 'SUCCESS')
  await shop.insist(path, undefined, ({ status }) => status === 'SUCCESS')

  const disturbedAgain = disturb('refund')
  for (const [number, amount] of [
    [1, '4.50'],
    [2, undefined],
  ] as const) {
    const isSent = (view: View) => statusOfRefund(view, number) === 'PENDING'
    await shop.insist(`${path}/refund`, { number, amount }, isSent)
    await disturbedAgain
  }
  for (const payout of sandbox.payouts.list()) payout.pay()
  await shop.called('payout', 'SUCCESS')
  const isBack = ({ refunds }: View) => refunds.every(({ status }) => status === 'SUCCESS')
  const order = await shop.insist(path, undefined, isBack)
  expect(order).toMatchObject({ status: 'SUCCESS', shipments: 1, left: 0 })
  expectOneOfEach(shop)
}

/** One payin and two refunds, together of the order's money, and every try of each asked for the same. */
function expectOneOfEach({ sandbox }: ShopProcess): void {
  const euros = (amount: number) => ({ amount, currencyCode: 'EUR' })
  expect(sandbox.payins.list().map((payin) => payin.money)).toEqual([euros(19.6)])
  expect(sandbox.payouts.list().map((payout) => payout.money)).toEqual([euros(4.5), euros(15.1)])
  const creates = sandbox.requests.filter(
    ({ method, idPayin, idPayout }) => method === 'POST' && (idPayin ?? idPayout),
  )
  expect(new Set(creates.map(({ path, bodyText }) => path + bodyText)).size).toBe(3)
  for (const { bodyText } of creates) {
    expect(JSON.parse(bodyText)).toMatchObject({ paymentMethod: { account, paymentOperatorCode: 'HARBOUR' } })
  }
}
