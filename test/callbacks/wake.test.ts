import { expect, test, vi } from 'vitest'
import type { PaymentRef } from '../../src/callbacks/index.js'
import { FakeClient, receiverOver, succeeded } from './support.js'

const callback = async (wake: (payment: PaymentRef) => Promise<boolean>) => {
  const client = new FakeClient(() => succeeded)
  const told: string[] = []
  const errors: unknown[] = []
  const { receiver } = receiverOver(client, {
    wake,
    onPayin: (_, { idPayin }) => told.push(idPayin),
    onError: (error, { during }) => errors.push([error, during]),
    lookupDeadlineMs: 50,
  })
  const { status } = await receiver.receive(receiver.urlFor({ idPayin: 'order-1' }))
  await receiver.drain()
  return { status, told, errors, lookups: client.lookups.length }
}

test('a callback of a payment that a queue follows wakes it, and nothing is looked up here', async () => {
  const woken: PaymentRef[] = []
  const wake = async (payment: PaymentRef) => woken.push(payment) > 0
  expect(await callback(wake)).toEqual({ status: 204, told: [], errors: [], lookups: 0 })
  expect(woken).toEqual([{ idPayin: 'order-1' }])
})

test('a payment that no queue knows is looked up and handed on', async () => {
  expect(await callback(async () => false)).toEqual({
    status: 204,
    told: ['order-1'],
    errors: [],
    lookups: 1,
  })
})

test('a queue that fails or is late leaves the callback to come again', async () => {
  const away = new Error('the store is away')
  expect(await callback(() => Promise.reject(away))).toEqual({
    status: 503,
    told: [],
    errors: [[away, 'wake']],
    lookups: 0,
  })
  expect(await callback(() => new Promise(() => {}))).toMatchObject({
    status: 503,
    errors: [[expect.objectContaining({ message: 'wake took longer than 50 ms' }), 'wake']],
  })
})

test('who sends one callback again and again wakes a queue fifty times, and then once in a growing gap', async () => {
  vi.useFakeTimers()
  let woken = 0
  const { receiver } = receiverOver(new FakeClient(() => succeeded), {
    wake: async () => {
      woken++
      return true
    },
  })
  const url = receiver.urlFor({ idPayin: 'order-1' })
  const statuses: number[] = []
  for (let n = 0; n < 60; n++) statuses.push((await receiver.receive(url)).status)
  expect(statuses).toEqual([...Array(50).fill(204), ...Array(10).fill(503)])
  expect(woken).toBe(50)
  // Another payment's callback is none of its business.
  expect(await receiver.receive(receiver.urlFor({ idPayin: 'order-2' }))).toMatchObject({ status: 204 })
  // What came in the gap is not lost, should the gateway not send it again.
  await vi.advanceTimersByTimeAsync(1_000)
  expect(woken).toBe(52)
  await receiver.receive(url)
  await vi.advanceTimersByTimeAsync(1_900)
  expect(woken).toBe(52)
  await vi.advanceTimersByTimeAsync(200)
  expect(woken).toBe(53)
  await receiver.receive(url)
  await receiver.drain()
  await vi.advanceTimersByTimeAsync(0)
  expect([woken, vi.getTimerCount()]).toEqual([53, 0])
})

test('a callback in the gap of a payment that no queue has is looked up when the gap is over', async () => {
  vi.useFakeTimers()
  const client = new FakeClient(() => succeeded)
  const { receiver } = receiverOver(client, { wake: async () => false })
  const url = receiver.urlFor({ idPayin: 'order-1' })
  // The first brings news, and the fifty after it none.
  for (let n = 0; n < 51; n++) await receiver.receive(url)
  expect(client.lookups).toHaveLength(51)
  expect(await receiver.receive(url)).toMatchObject({ status: 503 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(client.lookups).toHaveLength(52)
  await receiver.drain()
})
