import { expect, test } from 'vitest'
import { CallbackReceiver, type DedupeStore } from '../../src/callbacks/index.js'
import { GatewayClient } from '../../src/index.js'
import { mountNode } from './servers.js'
import { sharedDedupe } from './shop.js'
import { createPayin, lookUpsAt, publicUrl, secret, shop } from './support.js'

test('copies that reach two processes over HTTP cost one status request, and both are answered 204', async () => {
  const origins: string[] = []
  const statuses: number[] = []
  const { count, ...others } = sharedDedupe()
  /** Copies that have arrived, and whose process hears of it when the other one has arrived, too. */
  let arrived: (() => void)[] | undefined
  const dedupe: DedupeStore = {
    ...others,
    count: async (key) => {
      const number = await count?.(key)
      if (arrived !== undefined) {
        const both = arrived
        const released = new Promise<void>((resolve) => both.push(resolve))
        if (both.length === 2) {
          arrived = undefined
          for (const release of both) release()
        }
        await released
      }
      return number ?? 0
    },
  }
  await using merchant = shop({
    sandbox: {
      // A gateway that sends each callback to both at once.
      deliver: async ({ url, body }) => {
        const { pathname } = new URL(url)
        arrived = []
        const copies = origins.map((origin) => fetch(origin + pathname, { method: 'POST', body }))
        const answers = (await Promise.all(copies)).map(({ status }) => status)
        statuses.push(...answers)
        return { status: Math.max(...answers) }
      },
    },
    receiver: { dedupe },
  })
  const { sandbox, receiver, delivered } = merchant
  const other = new GatewayClient({ ...sandbox.clientOptions(), retries: 0 })
  const otherDelivered: (string | undefined)[] = []
  const otherReceiver = new CallbackReceiver({
    client: other,
    publicUrl,
    secrets: [secret],
    dedupe,
    onPayin: ({ process }) => otherDelivered.push(process?.status ?? undefined),
  })
  const servers = await Promise.all([receiver, otherReceiver].map((one) => mountNode(one, false)))
  origins.push(...servers.map(({ origin }) => origin))
  await createPayin(merchant, 'order-1')
  sandbox.payins.get('order-1').pay()
  await sandbox.idle()
  // PENDING and SUCCESS, each in two copies.
  expect(statuses).toEqual([204, 204, 204, 204])
  expect(lookUpsAt(sandbox)).toBe(2)
  const paid = [...delivered.map(({ status }) => status), ...otherDelivered].filter(
    (one) => one === 'SUCCESS',
  )
  expect(paid).toHaveLength(1)
  for (const server of servers) await server.close()
  await other.close()
})
