import { describe, expect, it } from 'vitest'
import { caught } from '../../support/caught.js'
import { mockGateway } from '../../support/gateway.js'

const gateway = mockGateway()

describe('a client that is closed', () => {
  it('refuses every call, and closing it twice does no harm', async () => {
    const client = gateway.client()
    await client.close()
    await client.close()
    const error = await caught(() => client.payins.retrieve('order-1'))
    expect(error).toMatchObject({ code: 'client_closed', idPayin: 'order-1' })
    expect(gateway.seen).toEqual([])
  })

  it('says of a create that nothing was made', async () => {
    const client = gateway.client()
    await client.close()
    const error = await caught(() =>
      client.payouts.create({
        idPayout: 'order-1',
        paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
        paymentMethod: { paymentMethodCode: 'X' },
      }),
    )
    expect(error).toMatchObject({ code: 'client_closed', outcome: 'not-accepted', idPayout: 'order-1' })
  })

  it('lets what is on the wire come to its end', async () => {
    const client = gateway.client()
    gateway.answer(() => Response.json({ process: { status: 'PENDING' } }))
    await client.payins.retrieve('a')
    let answerIt = (): void => undefined
    const held = new Promise<void>((resolve) => {
      answerIt = resolve
    })
    const arrived = new Promise<void>((resolve) => {
      gateway.answer(async () => {
        resolve()
        await held
        return Response.json({ process: { status: 'SUCCESS' } })
      })
    })
    const call = client.payins.retrieve('a')
    await arrived
    const closed = client.close()
    answerIt()
    expect(await call).toEqual({ process: { status: 'SUCCESS' } })
    await closed
  })

  it('is what `await using` leaves behind', async () => {
    const client = gateway.client()
    await client[Symbol.asyncDispose]()
    expect(await caught(() => client.currencies.list())).toMatchObject({ code: 'client_closed' })
  })
})
