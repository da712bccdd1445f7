import { expect, it, vi } from 'vitest'
import { GatewayClient } from '../../../../src/index.js'

vi.mock('undici/index.js', () => new Promise(() => {}))

it('a call whose undici never loads ends after timeoutMs, and takes no permit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const acquire = vi.fn(() => undefined)
  const client = new GatewayClient({
    baseUrl: 'https://gateway.example',
    merchantCode: 'M-0001',
    signer: { sign: () => Promise.resolve(new Uint8Array([1])) },
    rateLimit: { acquire },
    timeoutMs: 2_000,
    retries: 0,
  })
  let error: unknown
  void client.payins.retrieve('order-1').catch((reason: unknown) => {
    error = reason
  })
  // The rest of the client is loaded in real time.
  while (error === undefined) await vi.advanceTimersByTimeAsync(100)
  expect(error).toMatchObject({ code: 'timeout' })
  expect(acquire).not.toHaveBeenCalled()
})
