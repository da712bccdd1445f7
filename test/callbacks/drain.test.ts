import { getEventListeners, once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listen } from '../support/listening.js'
import { FakeClient, receiverOver, succeeded, withStatus } from './support.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => expect(vi.getTimerCount()).toBe(0))

const step = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

/** Whether a promise has resolved by now. */
function watched(promise: Promise<unknown>): { readonly ended: boolean } {
  const state = { ended: false }
  void promise.then(() => {
    state.ended = true
  })
  return state
}

describe('drain', () => {
  test('refuses new callbacks with 503 and asks nobody any more', async () => {
    const client = new FakeClient(() => succeeded)
    const { receiver, call } = receiverOver(client)
    await receiver.drain()
    expect(await call()).toBe(503)
    expect(await receiver.receive('/gateway/callbacks/none')).toMatchObject({ status: 404 })
    expect(await receiver.receive(receiver.urlFor({ idPayin: 'order-1' }))).toEqual({
      status: 503,
      headers: { 'retry-after': '30', connection: 'close' },
    })
    expect(client.lookups).toHaveLength(0)
    expect(receiver.counts).toMatchObject({ unavailable: 2, refused: 1, pending: 0 })
  })

  test('ends when a slow function has, and its callback is answered 204', async () => {
    let finish = () => {}
    const onPayin = () => new Promise<void>((resolve) => (finish = resolve))
    const { receiver, call } = receiverOver(new FakeClient(() => succeeded), { onPayin })
    const called = call()
    await step()
    const drained = watched(receiver.drain())
    await step(5000)
    expect(drained.ended).toBe(false)
    finish()
    await step()
    expect([drained.ended, await called]).toEqual([true, 204])
  })

  test('ends at functionTimeoutMs when a function hangs', async () => {
    const onPayin = () => new Promise(() => {})
    const { receiver, call } = receiverOver(new FakeClient(() => succeeded), { onPayin })
    const called = call()
    await step()
    const drained = watched(receiver.drain().then(() => called))
    await step(29_999)
    expect(drained.ended).toBe(false)
    await step(1)
    expect([drained.ended, await called]).toEqual([true, 500])
  })

  test('gives up lookups that wait, and answers their callbacks 503 at once', async () => {
    const client = new FakeClient()
    const { receiver, call, delivered, failures } = receiverOver(client)
    const calls = [call('a'), call('b'), call('a')]
    await step()
    await receiver.drain()
    expect(await Promise.all(calls)).toEqual([503, 503, 503])
    expect(client.lookups.map(({ signal }) => signal?.aborted)).toEqual([true, true])
    expect([delivered, failures]).toEqual([[], []])
  })

  test('gives up those that had not begun, however many', async () => {
    const client = new FakeClient()
    const { receiver, call } = receiverOver(client)
    const calls = Array.from({ length: 300 }, (_, n) => call(`order-${n % 100}`))
    await step()
    expect(client.lookups).toHaveLength(10)
    await receiver.drain()
    expect(new Set(await Promise.all(calls))).toEqual(new Set([503]))
    await step()
    expect(client.lookups).toHaveLength(10)
    expect(receiver.counts).toMatchObject({ unavailable: 300, pending: 0 })
  })

  test('does not begin the second lookup for callbacks that came while a function ran', async () => {
    let finish = () => {}
    const onPayin = () => new Promise<void>((resolve) => (finish = resolve))
    const client = new FakeClient(() => withStatus('PENDING'))
    const { receiver, call } = receiverOver(client, { onPayin })
    const first = call()
    await step()
    const second = call()
    const drained = receiver.drain()
    finish()
    await drained
    expect([await first, await second, client.lookups.length]).toEqual([204, 503, 1])
  })

  test('can be called twice, and leaves no listeners', async () => {
    const client = new FakeClient(() => succeeded)
    const { receiver, call } = receiverOver(client)
    await call()
    const [signal] = client.lookups.map((one) => one.signal)
    await Promise.all([receiver.drain(), receiver.drain()])
    expect(signal === undefined ? undefined : getEventListeners(signal, 'abort')).toEqual([])
  })

  test('goes on to name callback URLs, since the next process receives what is sent there', async () => {
    const client = new FakeClient(() => succeeded)
    const { receiver, call } = receiverOver(client)
    await call()
    expect(client.receiving?.arrive()).toBe(true)
    await receiver.drain()
    expect(client.receiving?.urlFor('payin', 'order-1')).toBe(receiver.urlFor({ idPayin: 'order-1' }))
    expect(client.receiving?.arrive()).toBe(false)
  })
})

test('drain lets the server close, though a caller keeps its connection and goes on calling', async () => {
  const { receiver } = receiverOver(new FakeClient(() => succeeded))
  const handle = receiver.node()
  let onCall = () => {}
  const server = createServer((callback, response) => {
    onCall()
    handle(callback, response)
  })
  const port = await listen(server)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { pathname: path } = new URL(receiver.urlFor({ idPayin: 'order-1' }))
  const connectionAfterCall = () =>
    new Promise((resolve, reject) => {
      const calling = request({ agent, port, path, method: 'POST' }, (response) => {
        response.resume().on('end', () => resolve(response.headers.connection))
      })
      calling.on('error', reject).end('{}')
    })
  expect(await connectionAfterCall()).toBe('keep-alive')
  await receiver.drain()
  // The connection is busy at that moment, so that it is not closed with those that are idle.
  onCall = () => server.close()
  const closed = once(server, 'close')
  expect(await connectionAfterCall()).toBe('close')
  await closed
  agent.destroy()
})
