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
import { handMadeGateway, json } from '../faults/servers.js'
import { clientOf, failure, matrix } from '../faults/support.js'

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
})

describe.each(['undici', 'fetch'] as const)('a request of the caller’s own over %s', (transport) => {
  test('PEER 22: a base URL with two slashes is still the same origin', async () => {
    await using elsewhere = await handMadeGateway({})
    await using gateway = await handMadeGateway({ lookUp: [json(200, {})] })
    await using client = clientOf(`${gateway.url}//${new URL(elsewhere.url).host}/`, transport)
    await client.currencies.list().catch(() => undefined)
    expect(elsewhere.sockets.size).toBe(0)
  })
})
