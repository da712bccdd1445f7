import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MemoryDedupeStore } from '../../src/callbacks/index.js'
import { ConnectionError } from '../../src/index.js'
import { FakeClient, notFound, receiverOver, succeeded, withStatus } from './support.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => expect(vi.getTimerCount()).toBe(0))

const throwing = (message: string) => () => {
  throw new Error(message)
}

describe('what the gateway is answered', () => {
  test('204 only when the function has resolved', async () => {
    let finish = () => {}
    const onPayin = () => new Promise<void>((resolve) => (finish = resolve))
    const { call, receiver } = receiverOver(new FakeClient(() => succeeded), { onPayin })
    let status: number | undefined
    const called = call().then((answer) => {
      status = answer
    })
    await vi.advanceTimersByTimeAsync(29_000)
    expect(status).toBeUndefined()
    expect(receiver.counts).toMatchObject({ pending: 1, succeeded: 0 })
    finish()
    await called
    expect(status).toBe(204)
    expect(receiver.counts).toEqual({ succeeded: 1, failed: 0, unavailable: 0, refused: 0, pending: 0 })
  })

  test.each([
    ['rejects', () => Promise.reject(new Error('no such order'))],
    ['throws', throwing('no such order')],
  ])('500 when the function %s, and the next callback calls it again', async (_title, onPayin) => {
    const { call, failures, receiver } = receiverOver(new FakeClient(() => succeeded), { onPayin })
    expect([await call(), await call()]).toEqual([500, 500])
    expect(failures).toEqual(Array(2).fill('payin order-1 function: no such order'))
    expect(receiver.counts).toMatchObject({ failed: 2, pending: 0 })
  })

  test('500 when the function hangs: its signal fires at functionTimeoutMs', async () => {
    const signals: AbortSignal[] = []
    const onPayin = (_payin: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal)
      return new Promise(() => {})
    }
    const { call, failures } = receiverOver(new FakeClient(() => succeeded), {
      onPayin,
      functionTimeoutMs: 500,
    })
    const called = call()
    await vi.advanceTimersByTimeAsync(499)
    expect(signals[0]?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await called).toBe(500)
    expect(signals[0]?.aborted).toBe(true)
    expect(failures[0]).toMatch(
      /^payin order-1 function: the function did not end within functionTimeoutMs \(500 ms\)/,
    )
  })

  test('503 while the payment is not visible yet, which is no failure to report', async () => {
    const client = new FakeClient(() => {
      throw notFound()
    })
    const { call, failures, delivered, receiver } = receiverOver(client)
    const answer = await receiver.receive(receiver.urlFor({ idPayin: 'order-1' }))
    expect(answer).toEqual({ status: 503, headers: { 'retry-after': '30' } })
    client.answer = () => succeeded
    expect(await call()).toBe(204)
    expect([failures, delivered.length]).toEqual([[], 1])
  })

  test('503 when the gateway cannot be reached, which is reported', async () => {
    const client = new FakeClient(() => {
      throw new ConnectionError('the connection broke.')
    })
    const { call, failures } = receiverOver(client)
    expect(await call()).toBe(503)
    expect(failures).toEqual(['payin order-1 lookup: the connection broke.'])
  })

  test('503 when the lookup takes longer than lookupDeadlineMs; the work goes on, and the function is called', async () => {
    const client = new FakeClient()
    const { call, delivered, receiver } = receiverOver(client, { lookupDeadlineMs: 1000 })
    const called = call()
    await vi.advanceTimersByTimeAsync(1000)
    expect(await called).toBe(503)
    expect(receiver.counts).toMatchObject({ unavailable: 1, pending: 1 })
    client.lookups[0]?.answer(succeeded)
    await vi.advanceTimersByTimeAsync(0)
    expect(delivered).toEqual([{ id: 'order-1', status: 'SUCCESS', isNew: true }])
    expect(receiver.counts.pending).toBe(0)
  })

  test('503 at once while the queue is longer than lookupDeadlineMs, and all are dealt with later', async () => {
    const client = new FakeClient()
    const dedupe = { get: () => ({ status: 'PENDING', final: false }), set: () => undefined }
    const { call, delivered, receiver } = receiverOver(client, { lookupDeadlineMs: 1000, dedupe })
    const first = Array.from({ length: 11 }, (_, n) => call(`early-${n}`))
    await vi.advanceTimersByTimeAsync(999)
    const [inTime] = [call('in-time')]
    await vi.advanceTimersByTimeAsync(1)
    expect(await Promise.all(first)).toEqual(Array(11).fill(503))
    expect(await call('late')).toBe(503)
    client.answer = () => succeeded
    for (const lookUp of client.lookups) lookUp.answer(succeeded)
    await vi.advanceTimersByTimeAsync(0)
    expect(await inTime).toBe(204)
    expect(delivered).toHaveLength(13)
    expect(receiver.counts).toMatchObject({ pending: 0, unavailable: 12, succeeded: 1 })
    expect(await call('afterwards')).toBe(204)
  })

  test('once for a final status, wherever the client finds it', async () => {
    const client = new FakeClient(() => JSON.parse('{"paymentRequested":{},"state":"PAID"}'))
    client.statusOf = (payment) => ('state' in payment ? String(payment.state) : undefined)
    client.isFinal = () => true
    const seen = new MemoryDedupeStore()
    const { call, delivered } = receiverOver(client, { dedupe: seen })
    expect([await call(), await call()]).toEqual([204, 204])
    expect(delivered).toHaveLength(1)
    expect(seen.get('ACCOUNT:payin:order-1')).toEqual({ status: 'PAID', final: true })
  })

  test('503 when as many payments as maxPending wait already', async () => {
    const client = new FakeClient()
    const { call, receiver } = receiverOver(client, { maxPending: 2 })
    const waiting = [call('a'), call('b')]
    expect(await call('c')).toBe(503)
    await vi.advanceTimersByTimeAsync(0)
    expect(client.lookups.map(({ id }) => id)).toEqual(['a', 'b'])
    for (const lookUp of client.lookups) lookUp.answer(succeeded)
    expect(await Promise.all(waiting)).toEqual([204, 204])
    expect(receiver.counts.pending).toBe(0)
  })

  test.each([
    ['throws', throwing('reporter')],
    ['rejects', () => Promise.reject(new Error('reporter'))],
  ])('the same when the reporter %s', async (_title, onError) => {
    const { call } = receiverOver(new FakeClient(() => succeeded), {
      onError,
      onPayin: () => Promise.reject(new Error('oh')),
    })
    expect(await call()).toBe(500)
  })

  test('501 when there is no function for that kind, which is reported, and nothing is looked up', async () => {
    const client = new FakeClient(() => succeeded)
    const { call, failures, receiver } = receiverOver(client, { onPayin: undefined })
    expect(await call()).toBe(501)
    expect(failures).toEqual([
      'payin order-1 function: a payin changed, and the receiver has no onPayin; give it one, or no payin a callbackUrl of this receiver.',
    ])
    expect(client.lookups).toHaveLength(0)
    expect(receiver.counts).toMatchObject({ failed: 1, pending: 0 })
    expect(await receiver.receive(receiver.urlFor({ idPayout: 'order-1' }))).toMatchObject({ status: 204 })
  })

  test('501 when wake knows no queue with the payment, and there is no function for that kind', async () => {
    let isKnown = true
    const functions = { onPayin: undefined, onPayout: undefined, wake: () => isKnown }
    const { call, failures } = receiverOver(new FakeClient(() => succeeded), functions)
    expect(await call()).toBe(204)
    isKnown = false
    expect([await call(), failures.length]).toEqual([501, 1])
  })
})

describe('callbacks that come together', () => {
  test('cause one lookup, and one more for all that came meanwhile', async () => {
    const client = new FakeClient()
    const { call, delivered } = receiverOver(client)
    const calls = Array.from({ length: 5 }, () => call())
    await vi.advanceTimersByTimeAsync(0)
    calls.push(...Array.from({ length: 20 }, () => call()))
    await vi.advanceTimersByTimeAsync(0)
    expect(client.lookups).toHaveLength(1)
    client.lookups[0]?.answer(withStatus('PENDING'))
    await vi.advanceTimersByTimeAsync(0)
    expect(client.lookups).toHaveLength(2)
    client.lookups[1]?.answer(succeeded)
    expect(await Promise.all(calls)).toEqual(Array(25).fill(204))
    expect(client.lookups).toHaveLength(2)
    expect(delivered.map(({ status }) => status)).toEqual(['PENDING', 'SUCCESS'])
  })

  test('of two payments, and of two kinds with one id, do not wait for each other', async () => {
    const client = new FakeClient()
    const { call, receiver } = receiverOver(client)
    const calls = [call('a'), call('b'), receiver.receive(receiver.urlFor({ idPayout: 'a' }))]
    await vi.advanceTimersByTimeAsync(0)
    expect(client.lookups.map(({ kind, id, flow }) => `${kind} ${id} ${flow}`)).toEqual([
      'payin a callback',
      'payin b callback',
      'payout a callback',
    ])
    for (const lookUp of client.lookups) lookUp.answer(succeeded)
    await Promise.all(calls)
  })

  test('more than a hundred for one payment are answered 503 at once, and the lookup they ask for is made', async () => {
    const client = new FakeClient()
    const { call } = receiverOver(client)
    const calls = [call()]
    await vi.advanceTimersByTimeAsync(0)
    calls.push(...Array.from({ length: 110 }, () => call()))
    await vi.advanceTimersByTimeAsync(0)
    client.lookups[0]?.answer(withStatus('PENDING'))
    await vi.advanceTimersByTimeAsync(0)
    client.lookups[1]?.answer(succeeded)
    const answers = await Promise.all(calls)
    expect(answers.filter((status) => status === 204)).toHaveLength(101)
    expect(answers.filter((status) => status === 503)).toHaveLength(10)
    expect(client.lookups).toHaveLength(2)
  })
})
