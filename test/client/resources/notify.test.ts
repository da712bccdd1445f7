import { expect, it } from 'vitest'
import { mockGateway } from '../../support/gateway.js'

const gateway = mockGateway()
const inStatus = (idPayout: string, status: string) =>
  Response.json({
    paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
    process: { status },
    paymentMethodResponse: { idPayout },
  })

it('a wait looks at once when it is told of a callback', async () => {
  const { payins } = gateway.client()
  const watching = payins.watch('order-1', { maxWaitMs: 60_000 })
  gateway.answer({ process: { status: 'PENDING' } })
  expect(await watching.next()).toMatchObject({ value: { process: { status: 'PENDING' } } })
  gateway.answer({ process: { status: 'SUCCESS' } })
  const next = watching.next()
  payins.notify('order-1')
  expect(await next).toMatchObject({ value: { process: { status: 'SUCCESS' } } })
  expect(gateway.business()).toHaveLength(2)
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
