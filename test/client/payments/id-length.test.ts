import { expect, it } from 'vitest'
import { caught } from '../../support/caught.js'
import { mockGateway } from '../../support/gateway.js'

const gateway = mockGateway()
const request = {
  paymentRequested: { money: { amount: 25, currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'BANK_TRANSFER' },
}

it('an id of more than 255 characters sends nothing, unless maxIdLength allows it', async () => {
  const idPayout = 'x'.repeat(256)
  const client = gateway.client()
  for (const call of [
    () => client.payouts.create({ idPayout, ...request }),
    () => client.payouts.retrieve(idPayout),
    () => client.payouts.waitFor(idPayout, { maxWaitMs: 1 }),
  ]) {
    const error = await caught(call)
    expect(error).toMatchObject({ code: 'invalid_input', field: 'idPayout' })
    expect(error.message).toContain('at most 255 characters, and has 256 (option maxIdLength)')
  }
  expect(gateway.seen).toEqual([])
  gateway.answer({ ...request, paymentMethodResponse: { idPayout } })
  const longer = gateway.client({ maxIdLength: 256 })
  expect(await longer.payouts.create({ idPayout, ...request })).toMatchObject({ replayed: false })
})
