import { getEventListeners } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import type { PaymentRef } from '../../src/callbacks/index.js'
import { type CatchUpEvent, onGatewayEvent } from '../../src/index.js'
import { turns } from '../support/turns.js'
import { FakeClient, notFound, receiverOver, succeeded, withStatus } from './support.js'

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

describe('catchUp', () => {
  test('gives payments of both kinds as they are now, in order, with the priority of polls', async () => {
    const client = new FakeClient((_kind, id) => withStatus(id === 'b' ? 'PENDING' : 'SUCCESS'))
    const { receiver, delivered } = receiverOver(client)
    const found = await all(receiver.catchUp([{ idPayin: 'a' }, { idPayout: 'b' }]))
    expect(found).toEqual([
      { ref: { idPayin: 'a' }, idPayin: 'a', payment: succeeded, final: true },
      { ref: { idPayout: 'b' }, idPayout: 'b', payment: withStatus('PENDING'), final: false },
    ])
    expect(client.lookups.map(({ kind, flow }) => `${kind} ${flow}`)).toEqual(['payin poll', 'payout poll'])
    expect(delivered).toEqual([])
  })

  test('hands the payment to whoever waits for it', async () => {
    const client = new FakeClient(() => succeeded)
    await all(receiverOver(client).receiver.catchUp(refs(1)))
    expect(client.woken).toEqual(['payin:order-0 SUCCESS'])
  })

  test('goes on after a payment that cannot be looked up', async () => {
    const client = new FakeClient((_kind, id) => {
      if (id === 'order-1') throw notFound()
      return succeeded
    })
    const { receiver } = receiverOver(client)
    const found = await all(receiver.catchUp(refs(3)))
    expect(found.map(({ error }) => error)).toEqual([
      undefined,
      expect.objectContaining({ code: 'not_found' }),
      undefined,
    ])
  })

  test('publishes what it found of each kind at its end, and nothing when it is left before', async () => {
    const created = new Date(Date.now() - 60_000).toISOString()
    const client = new FakeClient((_kind, id) => {
      if (id === 'none') throw notFound()
      if (!id.startsWith('open')) return succeeded
      const createdAt = { open: created, 'open-2': 'on a day' }[id] ?? '0001-01-01T00:00:00Z'
      return { ...succeeded, process: { status: 'PENDING', createdAt } }
    })
    const { receiver } = receiverOver(client)
    const events: CatchUpEvent[] = []
    const stop = onGatewayEvent('merchant-gateway:catch-up', (event) => events.push(event))
    const held = ['paid', 'open', 'open-2', 'open-3', 'none'].map((idPayin) => ({ idPayin }))
    for await (const _ of receiver.catchUp(held)) break
    expect(events).toEqual([])
    await all(receiver.catchUp([...held, { idPayout: 'sent' }], { deliver: true }))
    stop()
    const payins = { kind: 'payin', final: 1, open: 3, failed: 0, unavailable: 1 }
    expect(events).toEqual([
      { ...payins, oldestOpenMs: expect.any(Number) },
      { kind: 'payout', final: 1, open: 0, failed: 0, unavailable: 0, oldestOpenMs: 0 },
    ])
    expect(events[0]?.oldestOpenMs).toBeGreaterThanOrEqual(60_000)
    expect(events[0]?.oldestOpenMs).toBeLessThan(70_000)
  })

  test('reads no further ahead than ten payments, however many there are', async () => {
    const client = new FakeClient(() => succeeded)
    const { state, payments } = cursor(1_000_000)
    const found = receiverOver(client).receiver.catchUp(payments)
    for (let n = 0; n < 5; n++) await found.next()
    await turns(10)
    expect(state.read).toBe(14)
    expect(client.lookups).toHaveLength(14)
    await found.return(undefined)
    expect(state.closed).toBe(true)
  })

  test('that is left early gives its lookups up and closes the cursor', async () => {
    const client = new FakeClient()
    const { state, payments } = cursor(100)
    const found = receiverOver(client).receiver.catchUp(payments)
    const first = found.next()
    await turns()
    client.lookups[0]?.answer(succeeded)
    await first
    await found.return(undefined)
    expect(client.lookups.slice(1).every(({ signal }) => signal?.aborted)).toBe(true)
    expect(state.closed).toBe(true)
  })

  test('ends with the reason of its signal, and leaves no listener', async () => {
    const client = new FakeClient()
    const controller = new AbortController()
    const { state, payments } = cursor(100)
    const found = receiverOver(client).receiver.catchUp(payments, { signal: controller.signal })
    const first = found.next()
    await turns()
    controller.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    expect(client.lookups.every(({ signal }) => signal?.aborted)).toBe(true)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    expect(state.closed).toBe(true)
  })

  test('with a signal that has fired asks nobody', async () => {
    const client = new FakeClient(() => succeeded)
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(all(receiverOver(client).receiver.catchUp(refs(3), { signal }))).rejects.toThrow('enough')
    expect(client.lookups).toEqual([])
  })

  test('is typed by what is asked for', async () => {
    const { receiver } = receiverOver(new FakeClient(() => succeeded))
    const statuses: (string | undefined)[] = []
    for await (const { idPayin, payment } of receiver.catchUp([{ idPayin: 'a' }])) {
      statuses.push(`${idPayin.length} ${payment?.process?.status}`)
    }
    for await (const { idPayout, payment } of receiver.catchUp([{ idPayout: 'bb' }])) {
      statuses.push(`${idPayout.length} ${payment?.process.status}`)
    }
    for await (const one of receiver.catchUp([{ idPayin: 'a' }, { idPayout: 'bb' }])) {
      statuses.push(one.idPayin === undefined ? one.payment?.process.status : one.payment?.process?.status)
    }
    expect(statuses).toEqual(['1 SUCCESS', '2 SUCCESS', 'SUCCESS', 'SUCCESS'])
  })

  test('says so at once where nobody reads what it gives, and only there', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const client = new FakeClient(() => succeeded)
    const { receiver } = receiverOver(client)
    await all(receiver.catchUp(refs(1)))
    await turns()
    expect(warned).not.toHaveBeenCalled()
    receiver.catchUp(refs(2))
    await turns()
    expect(warned.mock.calls).toEqual([
      [
        expect.stringContaining('catchUp looks nothing up until its result is read'),
        expect.objectContaining({ code: 'MERCHANT_GATEWAY_CATCH_UP' }),
      ],
    ])
    expect(client.lookups).toHaveLength(1)
  })

  test('refuses what names no payment, by a sentence, in its turn', async () => {
    const nothing: PaymentRef[] = JSON.parse('[{ "idPayin": "order-0" }, {}]')
    const client = new FakeClient()
    const found = receiverOver(client).receiver.catchUp(nothing)
    const first = found.next()
    await turns()
    client.lookups[0]?.answer(succeeded)
    expect(await first).toMatchObject({ value: { idPayin: 'order-0', final: true } })
    await expect(found.next()).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

describe('catchUp with deliver', () => {
  const deliver = true

  test('calls the functions as a callback would, once for a final status', async () => {
    const client = new FakeClient((_kind, id) => withStatus(id === 'b' ? 'PENDING' : 'SUCCESS'))
    const { receiver, delivered } = receiverOver(client)
    const open: PaymentRef[] = [{ idPayin: 'a' }, { idPayout: 'b' }]
    const deliveries = async () => (await all(receiver.catchUp(open, { deliver }))).map((one) => one.delivery)
    expect(await deliveries()).toEqual(['delivered', 'delivered'])
    expect(delivered).toEqual([
      { id: 'a', status: 'SUCCESS', isNew: true },
      { id: 'b', status: 'PENDING', isNew: true },
    ])
    expect(await deliveries()).toEqual(['nothing-new', 'delivered'])
    expect(delivered.slice(2)).toEqual([{ id: 'b', status: 'PENDING', isNew: false }])
    expect(client.lookups.every(({ flow }) => flow === 'poll')).toBe(true)
  })

  test('says nothing new of what a callback has told, and the callback nothing of what it has', async () => {
    const { receiver, delivered, call } = receiverOver(new FakeClient(() => succeeded))
    expect(await call('order-0')).toBe(204)
    const found = await all(receiver.catchUp(refs(2), { deliver }))
    expect(found.map(({ delivery }) => delivery)).toEqual(['nothing-new', 'delivered'])
    expect(await call('order-1')).toBe(204)
    expect(delivered.map(({ id }) => id)).toEqual(['order-0', 'order-1'])
  })

  test('never runs beside a callback for the same payment', async () => {
    const client = new FakeClient()
    const { receiver, delivered } = receiverOver(client)
    const found = receiver.catchUp(refs(1), { deliver }).next()
    await turns()
    const called = receiver.receive(receiver.urlFor({ idPayin: 'order-0' }))
    await turns()
    expect(client.lookups).toHaveLength(1)
    client.lookups[0]?.answer(withStatus('PENDING'))
    expect(await found).toMatchObject({ value: { delivery: 'delivered' } })
    await turns()
    client.lookups[1]?.answer(succeeded)
    expect(await called).toMatchObject({ status: 204 })
    expect(delivered.map(({ status }) => status)).toEqual(['PENDING', 'SUCCESS'])
  })

  test('says that a function failed, tells onError, and delivers again the next time', async () => {
    const calls: string[] = []
    const onPayin = (_payin: unknown, { idPayin }: { readonly idPayin: string }) => {
      calls.push(idPayin)
      if (calls.length === 1) throw new Error('no order')
    }
    const { receiver, failures } = receiverOver(new FakeClient(() => succeeded), { onPayin })
    const [first] = await all(receiver.catchUp(refs(1), { deliver }))
    expect(first).toMatchObject({ payment: succeeded, final: true, delivery: 'failed' })
    expect(failures).toEqual(['payin order-0 function: no order'])
    const [second] = await all(receiver.catchUp(refs(1), { deliver }))
    expect(second).toMatchObject({ delivery: 'delivered' })
  })

  test('gives the error of a lookup, and leaves onError to callbacks', async () => {
    const client = new FakeClient(() => {
      throw notFound()
    })
    const { receiver, failures, delivered } = receiverOver(client)
    const [one] = await all(receiver.catchUp(refs(1), { deliver }))
    expect(one).toMatchObject({ final: false, error: { code: 'not_found' } })
    expect([failures, delivered]).toEqual([[], []])
  })

  test('makes no wait believe that callbacks arrive', async () => {
    const client = new FakeClient(() => succeeded)
    await all(receiverOver(client).receiver.catchUp(refs(1), { deliver }))
    expect(client.receiving?.arrive()).toBe(false)
  })

  test('ends with the reason of its signal, though a function goes on', async () => {
    const controller = new AbortController()
    const onPayin = () => new Promise(() => {})
    const { receiver } = receiverOver(new FakeClient(() => succeeded), { onPayin, functionTimeoutMs: 50 })
    const first = receiver.catchUp(refs(1), { deliver, signal: controller.signal }).next()
    await turns()
    controller.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    await receiver.drain()
  })

  test('delivers nothing once the receiver is drained', async () => {
    const client = new FakeClient(() => succeeded)
    const { receiver, delivered } = receiverOver(client)
    await receiver.drain()
    const [one] = await all(receiver.catchUp(refs(1), { deliver }))
    expect(one?.error).toMatchObject({ name: 'AbortError' })
    expect([client.lookups, delivered]).toEqual([[], []])
  })

  test('says so where more payments wait than maxPending allows', async () => {
    const client = new FakeClient()
    const { receiver, call } = receiverOver(client, { maxPending: 1 })
    const called = call('order-9')
    await vi.waitFor(() => expect(client.lookups).toHaveLength(1))
    const [one] = await all(receiver.catchUp(refs(1), { deliver }))
    expect(one).toMatchObject({ error: { code: 'queue_full' } })
    client.lookups[0]?.answer(succeeded)
    expect(await called).toBe(204)
  })
})
