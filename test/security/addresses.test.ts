import { describe, expect, test } from 'vitest'
import type { CustomRequest } from '../../src/index.js'
import { type HandMadeGateway, handMadeGateway, json } from '../faults/servers.js'
import { clientOf, failure } from '../faults/support.js'
import { elsewhere } from './places.js'

const transports = ['undici', 'fetch'] as const
/** Many requests of one client, none of which waits for its turn. */
const unhurried = { rateLimit: false } as const

/** Method, path and host of what arrived, token requests aside. */
function arrived({ requests }: HandMadeGateway): string[] {
  return requests
    .filter(({ path }) => !path.startsWith('/auth-tokens'))
    .map(({ method, path, headers }) => `${method} ${path} at ${headers.host}`)
}

describe.each(transports)('over %s', (transport) => {
  test('PEER 22: no path of a request leads to another origin', async () => {
    await using other = await elsewhere()
    await using gateway = await handMadeGateway({ lookUp: [json(200, {})], create: [json(200, {})] })
    await using client = clientOf(gateway.url, transport, unhurried)
    const { host, url } = other
    const { host: own } = new URL(gateway.url)
    const refused = [
      `${url}/x`,
      `HTTP://${host}/x`,
      `http:/${host}/x`,
      `http:${host}/x`,
      `\u0000${url}`,
      `\t${url}`,
      `//${host}/x`,
      `///${host}/x`,
      `/\t/${host}/x`,
      `/\n/${host}/x`,
      `/\r/${host}/x`,
      `/\\${host}/x`,
      `\\\\${host}/x`,
      `\\/${host}/x`,
      `@${host}/x`,
      `:@${host}/x`,
      `.${host}/x`,
      `?@${host}/x`,
      `/x\r\nHost: ${host}\r\n`,
      `/x HTTP/1.1\r\nHost: ${host}\r\n\r\nGET /y`,
      `/x\u2028//${host}`,
      `/\uff0f${host}/x`,
      ` //${host}/x`,
      `:80@${host}/x`,
      `http:${host}`,
      'javascript:alert(1)',
      '',
      'x',
      '/a?b',
      '/a#b',
      '/é',
      '/a b',
      '/a\tb',
      '/a\u0000',
      '/.',
      '/..',
      '/../../x',
      '/a/./b',
      '/a/../../x',
      '/a\\..\\b',
      '/a/%2e%2E/x',
      '/a/.%2e',
    ]
    for (const path of refused) {
      const error = await failure(client.request({ method: 'GET', path, operations: ['GET /x'] }))
      expect(error, JSON.stringify(path)).toMatchObject({ code: 'invalid_input', field: 'path' })
    }
    expect(arrived(gateway)).toEqual([])
    const sent = [
      `/@${host}/x`,
      `/%2f%2f${host}/x`,
      `/%5c%5c${host}`,
      `/x/${url}`,
      `/:80@${host}`,
      `/x%0d%0aY`,
    ]
    for (const path of sent) await client.request({ method: 'GET', path, operations: ['GET /x'] })
    expect(arrived(gateway)).toEqual(sent.map((path) => `GET ${path} at ${own}`))
    expect(other.connections()).toBe(0)
  })

  test('no query and no body ends its request early or begins another', async () => {
    await using gateway = await handMadeGateway({ create: [json(200, {})] })
    await using client = clientOf(gateway.url, transport, unhurried)
    const breaking = '1 HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\nGET /stolen HTTP/1.1'
    const body = { text: `\u20ac\r\n0\r\n\r\nGET /stolen HTTP/1.1\r\n\r\n${'\u{1f4b6}'.repeat(3000)}` }
    for (let time = 0; time < 2; time++) {
      await client.request({
        method: 'POST',
        path: '/x',
        query: { [breaking]: breaking, '&a=b': '&c=d#e', list: ['?', '\r\n'] },
        body,
        operations: ['POST /x'],
      })
    }
    const business = gateway.requests.filter(({ path }) => path.startsWith('/x'))
    expect(gateway.requests).toHaveLength(3)
    expect(business).toHaveLength(2)
    for (const { path, body: text, headers } of business) {
      const { searchParams } = new URL(path, gateway.url)
      expect(Object.fromEntries(searchParams)).toEqual({
        [breaking]: breaking,
        '&a=b': '&c=d#e',
        list: '?,\r\n',
      })
      expect(JSON.parse(text)).toEqual(body)
      expect(headers.host).toBe(new URL(gateway.url).host)
    }
  })

  test('nothing in a request but its path says where it goes', async () => {
    await using other = await elsewhere()
    await using gateway = await handMadeGateway({ create: [json(200, {})] })
    await using client = clientOf(gateway.url, transport, unhurried)
    const request: CustomRequest & { response?: never } = {
      method: 'POST',
      path: '/x',
      operations: ['POST /x'],
    }
    const elsewhereByName = {
      headers: { host: other.host, authorization: 'Basic x', connection: 'upgrade' },
      origin: other.url,
      baseUrl: other.url,
      url: other.url,
    }
    for (const [field, value] of Object.entries(elsewhereByName)) {
      const call = client.request(Object.assign({ [field]: value }, request))
      expect(await failure(call)).toMatchObject({ code: 'invalid_input', field })
    }
    await client.request(request)
    const sent = gateway.requests.at(-1)
    expect(sent?.headers.host).toBe(new URL(gateway.url).host)
    expect(sent?.headers.authorization).toMatch(/^Bearer /)
    const option = Object.assign({ timeoutMs: 1000 }, { baseUrl: other.url })
    expect(await failure(client.currencies.list(option))).toMatchObject({ field: 'baseUrl' })
    expect(other.connections()).toBe(0)
  })

  test('an URL object that changes after it was given moves the client nowhere', async () => {
    await using other = await elsewhere()
    await using gateway = await handMadeGateway({ lookUp: [json(200, {})] })
    const baseUrl = new URL(gateway.url)
    const options = { baseUrl }
    await using client = clientOf(gateway.url, transport, options)
    baseUrl.host = other.host
    options.baseUrl = new URL(other.url)
    await client.currencies.list()
    expect(arrived(gateway)).toHaveLength(1)
    expect(other.connections()).toBe(0)
  })
})
