import { expect, it } from 'vitest'
import { mockGateway } from '../../support/gateway.js'

const gateway = mockGateway()
const inStatus = (idPayout: string, status: string) =>
  Response.json({
    paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
    process: { status },
    paymentMethodResponse: { idPayout },
  })

it('payouts and payins under the same id are told apart', async () => {
  const { payins, payouts } = gateway.client()
  gateway.answer(() => inStatus('order-1', 'PENDING'))
  const controller = new AbortController()
  const watching = payouts.watch('order-1', { maxWaitMs: 60_000, signal: controller.signal })
  await watching.next()
  const next = watching.next()
  payins.notify('order-1')
  controller.abort()
  await expect(next).rejects.toMatchObject({ code: 'aborted', idPayout: 'order-1' })
  expect(gateway.business()).toHaveLength(1)
})
