import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { PaymentRef, ReconcileProgress } from '../../src/callbacks/index.js'
import { FakeClient, notFound, receiverOver, settled, succeeded, withStatus } from './support.js'

const refs = (count: number) => Array.from({ length: count }, (_, n) => ({ idPayin: `order-${n}` }))

/** A cursor that says how far it was read and whether it was closed. */
function cursor(count: number) {
  const state = { read: 0, closed: false }
  async function* payments(): AsyncGenerator<PaymentRef> {
    try {
      for (const ref of refs(count)) {
        state.read++
        yield ref
      }
    } finally {
      state.closed = true
    }
  }
  return { state, payments: payments() }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('reconcile', () => {
  test('gives payments of both kinds as they are now, in order, in the lane of polls', async () => {
    const client = new FakeClient((_kind, id) => withStatus(id === 'b' ? 'PENDING' : 'SUCCESS'))
    const { receiver, told } = receiverOver(client)
    const found = await all(receiver.reconcile([{ idPayin: 'a' }, { idPayout: 'b' }]))
    expect(found).toEqual([
      { ref: { idPayin: 'a' }, payment: succeeded, final: true },
      { ref: { idPayout: 'b' }, payment: withStatus('PENDING'), final: false },
    ])
    expect(client.lookUps.map(({ kind, lane }) => `${kind} ${lane}`)).toEqual(['payin poll', 'payout poll'])
    expect(told).toEqual([])
  })

  test('wakes whoever waits for a payment', async () => {
    const client = new FakeClient(() => succeeded)
    await all(receiverOver(client).receiver.reconcile(refs(1)))
    expect(client.woken).toEqual(['payin:order-0 SUCCESS'])
  })

  test('goes on after a payment that cannot be looked up, and says how far it is', async () => {
    const client = new FakeClient((_kind, id) => {
      if (id === 'order-1') throw notFound()
      return succeeded
    })
    const progress: ReconcileProgress[] = []
    const { receiver } = receiverOver(client)
    const found = await all(receiver.reconcile(refs(3), { onProgress: (one) => progress.push(one) }))
    expect(found.map(({ error }) => error)).toEqual([
      undefined,
      expect.objectContaining({ code: 'not_found' }),
      undefined,
    ])
    expect(progress).toEqual([
      { done: 1, failed: 0 },
      { done: 2, failed: 1 },
      { done: 3, failed: 1 },
    ])
  })

  test('reads no further ahead than ten payments, however many there are', async () => {
    const client = new FakeClient(() => succeeded)
    const { state, payments } = cursor(1_000_000)
    const found = receiverOver(client).receiver.reconcile(payments)
    for (let n = 0; n < 5; n++) await found.next()
    for (let turn = 0; turn < 10; turn++) await settled()
    expect(state.read).toBe(14)
    expect(client.lookUps).toHaveLength(14)
    await found.return(undefined)
    expect(state.closed).toBe(true)
  })

  test('that is left early gives its look-ups up and closes the cursor', async () => {
    const client = new FakeClient()
    const { state, payments } = cursor(100)
    const found = receiverOver(client).receiver.reconcile(payments)
    const first = found.next()
    await settled()
    client.lookUps[0]?.answer(succeeded)
    await first
    await found.return(undefined)
    expect(client.lookUps.slice(1).every(({ signal }) => signal?.aborted)).toBe(true)
    expect(state.closed).toBe(true)
  })

  test('ends with the reason of its signal, and leaves no listener', async () => {
    const client = new FakeClient()
    const controller = new AbortController()
    const { state, payments } = cursor(100)
    const found = receiverOver(client).receiver.reconcile(payments, { signal: controller.signal })
    const first = found.next()
    await settled()
    controller.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    expect(client.lookUps.every(({ signal }) => signal?.aborted)).toBe(true)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    expect(state.closed).toBe(true)
  })

  test('with a signal that has fired asks nobody', async () => {
    const client = new FakeClient(() => succeeded)
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(all(receiverOver(client).receiver.reconcile(refs(3), { signal }))).rejects.toThrow('enough')
    expect(client.lookUps).toEqual([])
  })

  test('refuses what names no payment, by a sentence', async () => {
    const nothing: PaymentRef[] = JSON.parse('[{}]')
    await expect(all(receiverOver(new FakeClient()).receiver.reconcile(nothing))).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })
})
