import { beforeEach, describe, expect, it, vi } from 'vitest'
import { lazyTransport } from '../../../../src/client/http/transport/lazy-transport.js'
import type { Transport, TransportRequest } from '../../../../src/client/http/transport/transport.js'
import { response } from '../../../support/failures.js'

const request: TransportRequest = {
  method: 'GET',
  path: '/x',
  headers: {},
  body: undefined,
  timeoutMs: 1000,
  signal: undefined,
  mayBegin: () => true,
  onSent: () => {},
}

function fakeTransport() {
  const send = vi.fn<Transport['send']>(async () => response(200))
  const close = vi.fn(async () => {})
  return { send, close }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }))
describe('a transport that is loaded by its first request', () => {
  it('is loaded once, and not before', async () => {
    const transport = fakeTransport()
    const load = vi.fn(async () => transport)
    const lazy = lazyTransport(load)
    expect(load).not.toHaveBeenCalled()
    await Promise.all([lazy.send(request), lazy.send(request)])
    await lazy.send(request)
    expect(load).toHaveBeenCalledTimes(1)
    expect(transport.send).toHaveBeenCalledTimes(3)
    expect(transport.send).toHaveBeenLastCalledWith(request)
  })

  it('leaves the first request what loading has left of its time', async () => {
    const transport = fakeTransport()
    const slow = (ms: number) =>
      lazyTransport(() => new Promise((resolve) => setTimeout(() => resolve(transport), ms)))
    for (const [loadingMs, leftMs] of [
      [300, 700],
      [1500, 0],
    ] as const) {
      const sending = slow(loadingMs).send(request)
      await vi.advanceTimersByTimeAsync(loadingMs)
      await sending
      expect(transport.send).toHaveBeenLastCalledWith({ ...request, timeoutMs: leftMs })
    }
  })

  it('that can not be loaded says so, and is loaded again by the next request', async () => {
    const transport = fakeTransport()
    const cause = new Error('no such file')
    const load = vi.fn(async (): Promise<Transport> => transport).mockRejectedValueOnce(cause)
    const lazy = lazyTransport(load)
    const failed = { kind: 'unloadable', cause }
    expect(await Promise.all([lazy.send(request), lazy.send(request)])).toEqual([failed, failed])
    expect(await lazy.send(request)).toMatchObject({ status: 200 })
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('is closed when it was loaded, and only then', async () => {
    const transport = fakeTransport()
    const load = vi.fn(async () => transport)
    await lazyTransport(load).close()
    expect(load).not.toHaveBeenCalled()
    const lazy = lazyTransport(load)
    const sending = lazy.send(request)
    await lazy.close()
    expect(transport.close).toHaveBeenCalledTimes(1)
    await sending
  })

  it('closes without a complaint while it fails to load', async () => {
    const lazy = lazyTransport(() => Promise.reject(new Error('no such file')))
    const sending = lazy.send(request)
    await expect(lazy.close()).resolves.toBeUndefined()
    expect(await sending).toMatchObject({ kind: 'unloadable' })
  })
})
