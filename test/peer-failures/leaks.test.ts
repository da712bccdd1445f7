import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { GatewayClient } from '../../src/index.js'
import {
  canaryRequest,
  echoes,
  encryptedPem,
  expectSilence,
  jwt,
  merchantSecret,
  passphrase,
} from '../faults/canaries.js'
import { privatePem } from '../faults/keys.js'
import { handMadeGateway, json, text } from '../faults/servers.js'
import { clientOf, create, failure, matrix } from '../faults/support.js'

describe('PEER 20: printing a client', () => {
  test.each([
    ['a key', { privateKey: privatePem }],
    ['an encrypted key', { privateKey: encryptedPem, privateKeyPassphrase: passphrase }],
    ['a secret', { merchantSecret }],
  ])('made with %s shows nothing but its base URL', (_name, credential) => {
    const client = new GatewayClient({
      baseUrl: 'https://gateway.example/api',
      merchantCode: 'M-0001',
      ...credential,
    })
    expectSilence(client)
    expectSilence({ client, nested: [client], error: new Error('with a client', { cause: client }) })
    for (const resource of Object.values(client)) expectSilence(resource)
    expect(inspect(client)).toContain('https://gateway.example/api')
    expect(JSON.parse(JSON.stringify(client))).toEqual({ baseUrl: 'https://gateway.example/api' })
  })
})

describe.each(matrix)('$kind over $transport', ({ kind, transport }) => {
  test('PEER 21: an error prints neither the token nor what was sent', async () => {
    const reply = echoes['the request itself as JSON']
    await using gateway = await handMadeGateway({
      token: [json(200, { token: jwt })],
      create: [(response, request) => reply?.(422, request)(response, request)],
    })
    await using client = clientOf(gateway.url, transport)
    const request = canaryRequest()
    const error = await failure(
      kind === 'payin'
        ? client.payins.create({ idPayin: 'order-1', ...request })
        : client.payouts.create({ idPayout: 'order-1', ...request }),
    )
    expect(error.status).toBe(422)
    expect(gateway.requests.at(-1)?.headers.authorization).toBe(`Bearer ${jwt}`)
    expect(gateway.requests.at(-1)?.body).toContain('Canary')
    expectSilence(error)
    expectSilence({ wrapped: new Error('the order failed', { cause: error }) })
  })

  test('PEER 23: a redirect is an error, and the token is not carried anywhere', async () => {
    for (const status of [300, 301, 302, 303, 305, 307, 308]) {
      await using elsewhere = await handMadeGateway({})
      const redirect = text(status, '', { location: `${elsewhere.url}/payins/order-1` })
      await using gateway = await handMadeGateway({ create: [redirect], lookUp: [redirect] })
      await using client = clientOf(gateway.url, transport)
      const error = await failure(create(client, kind))
      // Something on the way answered, and nobody knows what it did before.
      expect(error).toMatchObject({ code: 'unusable_response', outcome: 'unknown', attempts: 1 })
      expect((await failure(client.payouts.retrieve('order-1'))).code).toBe('unusable_response')
      await using misled = await handMadeGateway({ token: [redirect] })
      await using minting = clientOf(misled.url, transport)
      expect(await failure(create(minting, kind))).toMatchObject({ outcome: 'not-accepted' })
      expect(elsewhere.requests).toEqual([])
      expect(elsewhere.sockets.size).toBe(0)
    }
  })
})

describe.each(['undici', 'fetch'] as const)('a request of the caller’s own over %s', (transport) => {
  test('PEER 22: goes to no other origin, whatever its path', async () => {
    await using elsewhere = await handMadeGateway({})
    const { host } = new URL(elsewhere.url)
    await using gateway = await handMadeGateway({ lookUp: [json(200, {})] })
    const paths = [
      `${elsewhere.url}/x`,
      `//${host}/x`,
      `///${host}/x`,
      `/\\${host}/x`,
      `\\\\${host}\\x`,
      `/\t/${host}/x`,
      `/\n/${host}/x`,
      ` //${host}/x`,
      `@${host}/x`,
      `:80@${host}/x`,
      `.${host}/x`,
      `http:${host}`,
      `javascript:alert(1)`,
      '',
      'x',
      '/../../x',
      '/a/../../x',
      '/a/%2e%2E/x',
      '/a/.%2e',
      '/.',
      '/a?b',
      '/a#b',
      '/é',
      '/a b',
      '/a\u0000',
    ]
    for (const base of [gateway.url, `${gateway.url}/api`]) {
      await using client = clientOf(base, transport)
      for (const path of paths) {
        const call = client.request({ method: 'GET', path, operations: ['GET /x'] })
        expect((await failure(call)).code, JSON.stringify(path)).toBe('invalid_input')
      }
      expect(await client.request({ method: 'GET', path: '/a', operations: ['GET /a'] })).toEqual({})
    }
    expect(elsewhere.requests).toEqual([])
    expect(elsewhere.sockets.size).toBe(0)
    const reached = gateway.requests.filter(({ method }) => method === 'GET').map(({ path }) => path)
    expect(reached).toEqual(['/a', '/api/a'])
  })

  test('PEER 22: a base URL with two slashes is still the same origin', async () => {
    await using elsewhere = await handMadeGateway({})
    await using gateway = await handMadeGateway({ lookUp: [json(200, {})] })
    await using client = clientOf(`${gateway.url}//${new URL(elsewhere.url).host}/`, transport)
    await client.currencies.list().catch(() => undefined)
    expect(elsewhere.sockets.size).toBe(0)
  })
})
