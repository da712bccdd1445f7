import { beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeClient, notFound, receiverOver, succeeded, withStatus } from './support.js'

beforeEach(() => void vi.useFakeTimers())
/** Somebody who has read one callback URL, and calls it twenty times a second for so long. */
async function flood(call: () => Promise<number>, seconds: number): Promise<Map<number, number>> {
  const answers = new Map<number, number>()
  for (let n = 0; n < seconds * 20; n++) {
    void call().then((status) => answers.set(status, (answers.get(status) ?? 0) + 1))
    await vi.advanceTimersByTimeAsync(50)
  }
  return answers
}

describe('a flood of callbacks with one valid URL', () => {
  test('for a final payment costs 51 lookups, then ever fewer, and one a minute in the end', async () => {
    const client = new FakeClient(() => succeeded)
    const { call, delivered } = receiverOver(client)
    await flood(call, 3)
    expect(client.lookups).toHaveLength(51)
    await flood(call, 57)
    expect(client.lookups.length).toBeLessThanOrEqual(57)
    const before = client.lookups.length
    await flood(call, 600)
    expect(client.lookups.length - before).toBeLessThanOrEqual(11)
    expect(delivered).toHaveLength(1)
  })

  test('holds no more than a hundred connections, and is answered 503 or 204', async () => {
    const client = new FakeClient(() => succeeded)
    const { call, receiver } = receiverOver(client)
    const answers = await flood(call, 120)
    const answered = (answers.get(204) ?? 0) + (answers.get(503) ?? 0)
    expect(answered).toBeGreaterThanOrEqual(2400 - 101)
    expect([...answers.keys()].sort()).toEqual([204, 503])
    expect(receiver.counts.pending).toBe(1)
    await receiver.drain()
    expect(receiver.counts.pending).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('delays news of that payment by a minute at most, and of others not at all', async () => {
    const client = new FakeClient(() => withStatus('PENDING'))
    const { call, delivered, receiver } = receiverOver(client)
    await flood(call, 600)
    client.answer = () => succeeded
    expect(await call('order-2')).toBe(204)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(delivered.at(-1)).toEqual({ id: 'order-1', status: 'SUCCESS', isNew: true })
    await receiver.drain()
  })

  test('for a payment that does not exist is bounded in the same way', async () => {
    const client = new FakeClient(() => {
      throw notFound()
    })
    const { call, receiver } = receiverOver(client)
    await flood(call, 600)
    expect(client.lookups.length).toBeLessThanOrEqual(67)
    await receiver.drain()
  })

  test('does not make waits poll less: only news prove that callbacks arrive', async () => {
    const client = new FakeClient(() => succeeded)
    const { call, receiver } = receiverOver(client)
    expect(client.receiving?.arrive()).toBe(false)
    await call()
    expect(client.receiving?.arrive()).toBe(true)
    await flood(call, 600)
    expect(client.receiving?.arrive()).toBe(false)
    await receiver.drain()
  })
})
