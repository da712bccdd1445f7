import { expect, test, vi } from 'vitest'
import { Activity } from '../../src/rehearse/activity.js'
import { Armed } from '../../src/rehearse/armed.js'
import { Orders } from '../../src/rehearse/orders.js'
import { named, openStage } from './stage.js'

test('every status request goes wrong in the moment in which the payment ends, and none after it', async () => {
  await using stage = openStage()
  const { client, sandbox } = stage
  const calmMs = 60_000
  const reference = { kind: 'payin', others: 0, asked: undefined } as const
  const place = { reference, patienceMs: 0, gateway: sandbox, calmMs } as const
  const orders = new Orders(sandbox, 1)
  orders.giveTurn(1)
  const armed = new Armed(named('status-request-fails'), place, new Activity(orders, 1))
  const money = { amount: 10, currencyCode: 'EUR' }
  const id = 'order-1'
  await client.payins.create({
    idPayin: id,
    paymentRequested: { money },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
  })
  armed.beforePayment()
  sandbox.payins.get(id).pay()
  for (const _ of ['a callback of before', 'the last callback'])
    await expect(client.payins.retrieve(id)).rejects.toThrow()
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + calmMs)
  const { process } = await client.payins.retrieve(id)
  clock.mockRestore()
  expect(process?.status).toBe('SUCCESS')
})
