import { describe, expect, test } from 'vitest'
import {
  type DedupeStore,
  type DeliveredStatus,
  MemoryDedupeStore,
  type PayinDeliveryContext,
} from '../../src/callbacks/index.js'
import type { Payin } from '../../src/index.js'
import { FakeClient, receiverOver, succeeded, withStatus } from './support.js'

const final = (status: string): DeliveredStatus => ({ status, final: true })
const open = (status: string): DeliveredStatus => ({ status, final: false })

describe('the receiver', () => {
  test.each(['REVERSED', 'RETURNED', 'PENDING'])(
    'tells what comes after a final status, with what it was before: %s',
    async (status) => {
      const client = new FakeClient(() => succeeded)
      const told: unknown[] = []
      const onPayin = (payin: Payin, { isNew, previous }: PayinDeliveryContext) =>
        told.push([payin.process?.status, isNew, previous])
      const { call } = receiverOver(client, { onPayin })
      await call()
      client.answer = () => withStatus(status)
      expect(await call()).toBe(204)
      expect(told).toEqual([
        ['SUCCESS', true, undefined],
        [status, true, { status: 'SUCCESS', final: true }],
      ])
    },
  )

  test('asks a store of yours, by merchant and gateway, the kind and the id', async () => {
    const kept = new Map<string, string>()
    const seen: DedupeStore = {
      get: async (key) => JSON.parse(kept.get(key) ?? 'null'),
      set: async (key, status) => void kept.set(key, JSON.stringify(status)),
    }
    const { call } = receiverOver(new FakeClient(() => succeeded), { dedupe: seen })
    await call()
    expect([...kept]).toEqual([['ACCOUNT:payin:order-1', '{"status":"SUCCESS","final":true}']])
    const other = receiverOver(new FakeClient(() => succeeded), { dedupe: seen })
    expect(await other.call()).toBe(204)
    expect(other.delivered).toEqual([])
  })
})

test('the store in memory keeps the newest ten thousand', () => {
  const store = new MemoryDedupeStore()
  for (let n = 0; n < 10_000; n++) store.set(`payin:${n}`, final('SUCCESS'))
  store.set('payin:0', open('AGAIN'))
  store.set('payin:new', final('SUCCESS'))
  expect(store.get('payin:0')).toEqual(open('AGAIN'))
  expect(store.get('payin:1')).toBeUndefined()
  expect(store.get('payin:2')).toEqual(final('SUCCESS'))
})
