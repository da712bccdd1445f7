import { describe, expect, it, vi } from 'vitest'
import type { Transport } from '../../../../src/client/http/transport/transport.js'
import { LazyTransport } from '../../../../src/client/http/transport/transport.js'
import { response } from '../../../support/failures.js'

function fakeTransport() {
  return { send: vi.fn<Transport['send']>(async () => response(200)), close: vi.fn(async () => {}) }
}

describe('a transport that is loaded by its first request', () => {
  it('is loaded once, and not before', async () => {
    const transport = fakeTransport()
    const load = vi.fn(async () => transport)
    const lazy = new LazyTransport(load)
    expect(load).not.toHaveBeenCalled()
    expect(await Promise.all([lazy.load(), lazy.load()])).toEqual([transport, transport])
    expect(lazy.loaded).toBe(transport)
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('that can not be loaded says so, and is loaded again by the next request', async () => {
    const transport = fakeTransport()
    const cause = new Error('no such file')
    const load = vi.fn(async (): Promise<Transport> => transport).mockRejectedValueOnce(cause)
    const lazy = new LazyTransport(load)
    const failed = { kind: 'unloadable', cause }
    expect(await Promise.all([lazy.load(), lazy.load()])).toEqual([failed, failed])
    expect(lazy.loaded).toBeUndefined()
    expect(await lazy.load()).toBe(transport)
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('is closed when it was loaded, and only then', async () => {
    const transport = fakeTransport()
    const load = vi.fn(async () => transport)
    await new LazyTransport(load).close()
    expect(load).not.toHaveBeenCalled()
    const lazy = new LazyTransport(load)
    void lazy.load()
    await lazy.close()
    expect(transport.close).toHaveBeenCalledTimes(1)
  })

  it('closes without a complaint while it fails to load', async () => {
    const lazy = new LazyTransport(() => Promise.reject(new Error('no such file')))
    void lazy.load()
    await expect(lazy.close()).resolves.toBeUndefined()
  })
})
