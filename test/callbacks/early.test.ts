import { expect, test } from 'vitest'
import { until } from '../support/turns.js'
import { payinRequest, shop, straightTo } from './support.js'

test('a callback that arrives before create has returned waits for nothing and loses nothing', async () => {
  await using merchant = shop({ sandbox: { deliver: straightTo(() => merchant.receiver) } })
  const { sandbox, client, delivered } = merchant
  sandbox.fault({ route: 'POST /payins/{idPayin}', action: { kind: 'delay', ms: 30 } })
  let returned = false
  const creating = client.payins.create(payinRequest('order-1')).then(() => {
    returned = true
  })
  await until(() => sandbox.payins.find('order-1') !== undefined)
  sandbox.payins.get('order-1').pay()
  await sandbox.idle()
  expect(returned).toBe(false)
  expect(sandbox.callbacks.at(-1)).toMatchObject({ paymentStatus: 'SUCCESS', response: 204 })
  expect(delivered.at(-1)).toEqual({ id: 'order-1', status: 'SUCCESS', isNew: true })
  await creating
})
