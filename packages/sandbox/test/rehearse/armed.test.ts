import { expect, test, vi } from 'vitest'
import { Activity } from '../../src/rehearse/activity.js'
import { Armed } from '../../src/rehearse/armed.js'
import { Carts } from '../../src/rehearse/carts.js'
import { named, openStage } from './stage.js'

test('every look-up goes wrong in the moment in which the payment ends, and none after it', async () => {
  await using stage = openStage()
  const { client, sandbox } = stage
  const calmMs = 60_000
  const reference = { kind: 'payin', others: 0, order: undefined } as const
  const place = {
    reference,
    route: 'GET /payins/{idPayin}',
    patienceMs: 0,
    gateway: sandbox,
    calmMs,
  } as const
  const carts = new Carts(sandbox, 1)
  carts.giveTurn(1)
  const armed = new Armed(named('unavailable'), place, new Activity(carts, 1))
  const money = { amount: 10, currencyCode: 'EUR' }
  const id = 'cart-1'
  await client.payins.create({
    idPayin: id,
    paymentRequested: { money },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
  })
  armed.beforePayment()
  sandbox.payins.get(id).settle('SUCCESS')
  for (const _ of ['a callback of before', 'the last callback'])
    await expect(client.payins.retrieve(id)).rejects.toThrow()
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + calmMs)
  const { process } = await client.payins.retrieve(id)
  clock.mockRestore()
  expect(process?.status).toBe('SUCCESS')
})
