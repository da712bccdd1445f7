import { describe, expect, test } from 'vitest'
import { payinRequest, settled, shop, straightTo } from './support.js'

describe('PEER-FAILURES', () => {
  test('26: a look-up that failed is answered 503 and not 200, and the next callback brings the payment', async () => {
    await using merchant = shop()
    const { sandbox, client, receiver, delivered } = merchant
    await client.payins.create({ ...payinRequest('order-1'), callbackUrl: 'https://elsewhere.example' })
    const url = receiver.urlFor({ idPayin: 'order-1' })
    for (const status of [500, 502, 401, 403, 404]) {
      const fault = sandbox.fault({
        route: 'GET /payins/{idPayin}',
        times: Number.POSITIVE_INFINITY,
        action: { kind: 'status', status },
      })
      expect(await receiver.receive(url), String(status)).toEqual({
        status: 503,
        headers: { 'retry-after': '30' },
      })
      fault.remove()
    }
    expect(delivered).toEqual([])
    expect((await receiver.receive(url)).status).toBe(204)
    expect(delivered).toMatchObject([{ id: 'order-1' }])
  })

  test('27: a callback that arrives before the merchant has its record is answered 500, and comes again', async () => {
    const records = new Map<string, string>()
    await using merchant = shop({
      receiver: {
        onPayin: ({ process }, { idPayin }) => {
          if (!records.has(idPayin)) throw new Error('no such order')
          records.set(idPayin, process?.status ?? '')
        },
      },
    })
    const { client, receiver } = merchant
    await client.payins.create({ ...payinRequest('order-1'), callbackUrl: 'https://elsewhere.example' })
    const url = receiver.urlFor({ idPayin: 'order-1' })
    expect((await receiver.receive(url)).status).toBe(500)
    records.set('order-1', 'NEW')
    expect((await receiver.receive(url)).status).toBe(204)
    expect(records.get('order-1')).toMatch(/CREATED|PENDING/)
  })

  test('27: a callback that arrives before create has returned waits for nothing and loses nothing', async () => {
    await using merchant = shop({ sandbox: { deliver: straightTo(() => merchant.receiver) } })
    const { sandbox, client, delivered } = merchant
    sandbox.fault({ route: 'POST /payins/{idPayin}', action: { kind: 'delay', ms: 30 } })
    let returned = false
    const creating = client.payins.create(payinRequest('order-1')).then(() => {
      returned = true
    })
    while (sandbox.payins.find('order-1') === undefined) await settled()
    sandbox.payins.get('order-1').settle('SUCCESS')
    await sandbox.idle()
    expect(returned).toBe(false)
    expect(sandbox.callbacks.at(-1)).toMatchObject({ paymentStatus: 'SUCCESS', answer: 204 })
    expect(delivered.at(-1)).toEqual({ id: 'order-1', status: 'SUCCESS', news: true })
    await creating
  })

  test('27: a callback for a payment that the gateway does not show yet is answered 503', async () => {
    await using merchant = shop()
    const { client, receiver, delivered } = merchant
    const url = receiver.urlFor({ idPayin: 'order-1' })
    expect((await receiver.receive(url)).status).toBe(503)
    await client.payins.create({ ...payinRequest('order-1'), callbackUrl: 'https://elsewhere.example' })
    expect((await receiver.receive(url)).status).toBe(204)
    expect(delivered).toHaveLength(1)
  })
})
