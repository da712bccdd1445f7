import { Agent } from 'undici'
import { describe, expect, test } from 'vitest'
import { clientOf, create, failure } from '../faults/support.js'
import { elsewhere } from './places.js'
import { certificate, tlsGateway } from './tls.js'

describe.each(['undici', 'fetch'] as const)('over %s, nothing is sent', (transport) => {
  test('to a gateway whose certificate nobody vouches for', async () => {
    await using gateway = await tlsGateway(await certificate())
    await using client = clientOf(gateway.url, transport, { retries: 0 })
    const error = await failure(create(client, 'payout'))
    expect(error).toMatchObject({ code: 'connection', outcome: 'not-accepted' })
    expect(error.message).toContain('name its certificate in NODE_EXTRA_CA_CERTS')
    expect(gateway.requests).toEqual([])
  })

  test('to a server that does not speak TLS, but the greeting of TLS', async () => {
    await using other = await elsewhere()
    await using client = clientOf(other.url.replace('http:', 'https:'), transport, { retries: 0 })
    expect(await failure(create(client, 'payout'))).toMatchObject({ outcome: 'not-accepted' })
    expect(other.received()).not.toMatch(/M-0001|auth-tokens|merchantCode/)
  })
})

test('a certificate is taken when an authority vouches for it', async () => {
  const right = await certificate()
  await using gateway = await tlsGateway(right)
  const dispatcher = new Agent({ connect: { ca: right.cert } })
  await using client = clientOf(gateway.url, 'undici', { dispatcher })
  expect(await client.currencies.list()).toEqual({})
  await dispatcher.destroy()
})
