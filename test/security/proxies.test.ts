import { getGlobalDispatcher, ProxyAgent, setGlobalDispatcher } from 'undici'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectSilence } from '../faults/canaries.js'
import { anyToken, handMadeGateway, json } from '../faults/servers.js'
import { clientOf, create, failure } from '../faults/support.js'
import { elsewhere } from './places.js'
import { type Certificate, certificate, proxy, tlsGateway } from './tls.js'

let trusted: Certificate
let impostors: Certificate
beforeAll(async () => {
  trusted = await certificate()
  impostors = await certificate()
})

/** What no proxy may read. */
const unreadable = [anyToken, 'Bearer', 'M-0001', '/payouts', '/auth-tokens', 'Novak']

describe('an https gateway behind a proxy', () => {
  const through = (uri: string) => new ProxyAgent({ uri, requestTls: { ca: trusted.cert } })

  test('is reached through a tunnel, in which the proxy reads nothing', async () => {
    await using gateway = await tlsGateway(trusted)
    await using between = await proxy()
    const dispatcher = through(between.url)
    await using client = clientOf(gateway.url, 'undici', { dispatcher })
    await client.currencies.list()
    await client.currencies.list()
    expect(gateway.requests.slice(1)).toEqual([
      `GET /currencies Bearer ${anyToken}`,
      `GET /currencies Bearer ${anyToken}`,
    ])
    expect(new Set(between.requests)).toEqual(new Set([`CONNECT ${gateway.host}`]))
    for (const text of unreadable) expect(between.seen()).not.toContain(text)
    await dispatcher.destroy()
  })

  test('gets nothing of the credentials for the proxy, nor the proxy of those for the gateway', async () => {
    await using gateway = await tlsGateway(trusted)
    await using between = await proxy()
    const dispatcher = through(between.url.replace('//', '//user:canary-password@'))
    await using client = clientOf(gateway.url, 'undici', { dispatcher })
    await client.currencies.list()
    expect(between.seen()).toContain(Buffer.from('user:canary-password').toString('base64'))
    for (const text of unreadable) expect(between.seen()).not.toContain(text)
    await dispatcher.destroy()
  })

  test('is not mistaken for the impostor to whom a proxy leads, who hears nothing', async () => {
    await using impostor = await tlsGateway(impostors)
    await using between = await proxy({ to: impostor.host })
    const dispatcher = through(between.url)
    await using client = clientOf('https://127.0.0.1:9', 'undici', { dispatcher, retries: 0 })
    const error = await failure(create(client, 'payout'))
    expect(error).toMatchObject({ code: 'connection', outcome: 'not-accepted' })
    expect(impostor.requests).toEqual([])
    for (const text of unreadable) expect(between.seen()).not.toContain(text)
    await dispatcher.destroy()
  })

  test.each([
    ['407 Proxy Authentication Required', 'proxy-authenticate: Basic realm="gateway"'],
    ['502 Bad Gateway', 'retry-after: 0'],
    ['401 Unauthorized', 'www-authenticate: Basic realm="gateway"'],
  ])('is not asked when the proxy answers %s, and the proxy gets no token', async (status, header) => {
    await using between = await proxy({ refuse: `${status}\r\n${header}` })
    const dispatcher = through(between.url.replace('//', '//user:canary-password@'))
    await using client = clientOf('https://127.0.0.1:9', 'undici', { dispatcher, retries: 0 })
    const error = await failure(create(client, 'payout'))
    expect(error).toMatchObject({ code: 'connection', outcome: 'not-accepted' })
    expectSilence(error)
    expectSilence(client)
    for (const text of unreadable) expect(between.seen()).not.toContain(text)
    await dispatcher.destroy()
  })

  test('is not sought where a proxy redirects to', async () => {
    await using other = await elsewhere()
    await using between = await proxy({ refuse: `302 Found\r\nlocation: ${other.url}/` })
    const dispatcher = through(between.url)
    await using client = clientOf('https://127.0.0.1:9', 'undici', { dispatcher, retries: 0 })
    expect(await failure(create(client, 'payin'))).toMatchObject({ outcome: 'not-accepted' })
    expect(other.connections()).toBe(0)
    await dispatcher.destroy()
  })
})

describe('a plain http gateway', () => {
  test.each([true, false])(
    'is refused behind a dispatcher, which may take it off this machine (tunnel: %s)',
    async (proxyTunnel) => {
      await using between = await proxy()
      const dispatcher = new ProxyAgent({ uri: between.url, proxyTunnel })
      expect(() => clientOf('http://127.0.0.1:9', 'undici', { dispatcher })).toThrow(
        /^dispatcher .*plain http/,
      )
      expect(between.requests).toEqual([])
      await dispatcher.destroy()
    },
  )

  test('is reached all the same where that is allowed', async () => {
    await using gateway = await handMadeGateway({ lookUp: [json(200, {})] })
    await using between = await proxy()
    const dispatcher = new ProxyAgent({ uri: between.url })
    await using client = clientOf(gateway.url, 'undici', { dispatcher, allowInsecureHttp: true })
    expect(await client.currencies.list()).toEqual({})
    await dispatcher.destroy()
  })
})

test("the application's global dispatcher gets nothing of the client's", async () => {
  await using gateway = await handMadeGateway({ lookUp: [json(200, {})] })
  await using between = await proxy()
  const before = getGlobalDispatcher()
  const everybodys = new ProxyAgent(between.url)
  setGlobalDispatcher(everybodys)
  try {
    await using client = clientOf(gateway.url, 'undici')
    expect(await client.currencies.list()).toEqual({})
  } finally {
    setGlobalDispatcher(before)
  }
  expect(between.requests).toEqual([])
  await everybodys.destroy()
})
