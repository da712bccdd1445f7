import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { schemas } from '../../../src/index.js'

const payout = {
  paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
  process: { status: 'SOMETHING_NEW' },
  paymentMethodResponse: { idPayout: 'order-1' },
  addedLater: true,
}

describe('the exported schemas', () => {
  it('are Standard Schemas, and take unknown fields and statuses as they are', async () => {
    const { version, vendor, validate } = schemas.payout['~standard']
    expect({ version, vendor }).toEqual({ version: 1, vendor: 'merchant-gateway' })
    expect(await validate(payout)).toEqual({ value: payout })
  })

  it('name what a caller cannot do without, and no value', async () => {
    const { process: _, ...without } = payout
    const result = await schemas.payout['~standard'].validate({ ...without, fee: 'secret' })
    expect(result).toEqual({ issues: [{ message: 'process: expected object' }] })
  })

  it.each(Object.entries(schemas))('%s refuses what is no object', async (_name, schema) => {
    for (const value of [null, 'text', 5, []]) {
      expect(await schema['~standard'].validate(value)).toMatchObject({ issues: expect.any(Array) })
    }
  })

  it('have the interface that zod has, so that libraries take either', () => {
    expect(Object.keys(z.object({})['~standard'])).toEqual(
      expect.arrayContaining(Object.keys(schemas.payin['~standard'])),
    )
  })
})
