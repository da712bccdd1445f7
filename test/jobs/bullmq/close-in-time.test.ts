import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { closeInTime, Runs } from '../../../src/jobs/bullmq/close-in-time.js'
import { listenTo } from '../../../src/jobs/bullmq/listeners.js'

/** A worker that waits for its store, and one connection of each kind that it has. */
function waitingWorker() {
  const client = Object.assign(new EventEmitter(), {
    status: 'reconnecting',
    disconnect: vi.fn(),
    flushQueue: vi.fn(),
    connect: async () => {},
  })
  const destroy = vi.fn()
  const shared = { disconnect: vi.fn() }
  const backend = {
    blockingConnection: { _client: shared, extraOptions: { shared: true } },
    connection: { _client: client, pool: { _clients: [{ connection: { stream: { destroy } } }] } },
  }
  let end = () => {}
  const closed = new Promise<void>((resolve) => {
    end = resolve
  })
  const stop = vi.fn()
  const timers = { stalledCheckStopper: stop, lockManager: { close: stop } }
  const worker = { close: () => closed, getBackend: () => backend, ...timers }
  return { client, destroy, shared, end, stop, worker }
}

test('a worker whose store gives no answer is closed within ten seconds, and leaves no timer', async () => {
  vi.useFakeTimers()
  const { worker, client, destroy, shared, stop } = waitingWorker()
  const ended = vi.fn()
  client.on('end', ended)
  const closing = closeInTime(worker, new Runs())
  await vi.advanceTimersByTimeAsync(4_999)
  expect(client.disconnect).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(5_001)
  await closing
  for (const call of [client.disconnect, client.flushQueue, ended, destroy]) expect(call).toHaveBeenCalled()
  await expect(client.connect()).rejects.toThrow('Connection is closed')
  expect(stop).toHaveBeenCalledTimes(2)
  expect(client.listenerCount('error')).toBe(1)
  expect(shared.disconnect).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

test('one whose payments are under way waits for these, and then for the store', async () => {
  vi.useFakeTimers()
  const { worker, client, end } = waitingWorker()
  const runs = new Runs()
  let pay = () => {}
  const running = runs.during(
    () =>
      new Promise<void>((resolve) => {
        pay = resolve
      }),
  )
  void runs.during(() => Promise.reject(new Error('refused'))).catch(() => undefined)
  const closing = closeInTime(worker, runs)
  await vi.advanceTimersByTimeAsync(31_000)
  pay()
  await running
  await vi.advanceTimersByTimeAsync(4_999)
  expect(client.disconnect).not.toHaveBeenCalled()
  end()
  await closing
  expect(client.disconnect).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

test('what the closing rejects with is passed on', async () => {
  const { worker } = waitingWorker()
  const close = () => Promise.reject(new Error('a bug'))
  await expect(closeInTime({ ...worker, close }, new Runs())).rejects.toThrow('a bug')
})

test('a connection that breaks after it was taken out of a pool ends nothing', () => {
  const [pool, client] = [new EventEmitter(), new EventEmitter()]
  listenTo(pool)
  pool.emit('connect', client)
  expect(client.emit('error', new Error('Connection terminated unexpectedly'))).toBe(true)
})
