import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, expect, test } from 'vitest'
import { anyToken, handMadeGateway, json } from '../faults/servers.js'
import { clientOf } from '../faults/support.js'
import { elsewhere } from './places.js'

const attempts = 'merchant-gateway:attempt:start'
let listener: (event: unknown) => void = () => {}
afterEach(() => {
  unsubscribe(attempts, listener)
})

/** Lets a subscriber add headers to every request, and collects which of them it was promised. */
function adding(headers: readonly (readonly [string, string])[]): Set<string> {
  const promised = new Set<string>()
  listener = (event) => {
    if (typeof event !== 'object' || event === null || !('setHeader' in event)) return
    const { setHeader } = event
    if (typeof setHeader !== 'function') return
    for (const [name, value] of headers) if (setHeader(name, value) === true) promised.add(name)
  }
  subscribe(attempts, listener)
  return promised
}

test.each(['undici', 'fetch'] as const)(
  'over %s, a subscriber that sends trace context along changes neither where a request goes nor who it is from',
  async (transport) => {
    await using other = await elsewhere()
    await using gateway = await handMadeGateway({ lookUp: [json(200, {})] })
    const promised = adding([
      ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
      ['Host', other.host],
      ['AUTHORIZATION', 'Bearer stolen'],
      ['x-signature', 'c3RvbGVu'],
      ['Proxy-Authorization', 'Basic c3RvbGVu'],
      ['cookie', 'a=b'],
      ['content-length', '5'],
      ['transfer-encoding', 'chunked'],
      ['connection', 'upgrade'],
      ['upgrade', 'websocket'],
      ['expect', '100-continue'],
      ['x-smuggled\r\nhost', other.host],
      ['tracestate', `a=b\r\nHost: ${other.host}`],
    ])
    await using client = clientOf(gateway.url, transport)
    await client.currencies.list()
    expect([...promised]).toEqual(['traceparent'])
    expect(gateway.requests).toHaveLength(2)
    for (const { headers, path } of gateway.requests) {
      expect(headers.traceparent).toMatch(/^00-/)
      expect(headers.host).toBe(new URL(gateway.url).host)
      expect(headers.authorization).toBe(path === '/auth-tokens' ? undefined : `Bearer ${anyToken}`)
      for (const name of ['cookie', 'proxy-authorization', 'upgrade', 'tracestate', 'x-smuggled']) {
        expect(headers).not.toHaveProperty(name)
      }
    }
    expect(other.connections()).toBe(0)
  },
)
