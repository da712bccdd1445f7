import { channel } from 'node:diagnostics_channel'
import { describe, expect, it, vi } from 'vitest'
import { Observer } from '../../../src/client/observe/observer.js'
import { accept, handMadeGateway } from '../../faults/servers.js'
import { clientOf, create } from '../../faults/support.js'

const settings = { basePath: '', logger: undefined, slowCallMs: 10_000 }

describe('the client that events are about', () => {
  it.each([
    ['https://gateway.example', '', 'gateway.example', 443],
    ['http://localhost', '', 'localhost', 80],
    ['https://gateway.example:8443', '/api', 'gateway.example', 8443],
    ['http://[::1]:3000', '', '::1', 3000],
  ])('%s%s is %s, port %i', (origin, basePath, serverAddress, serverPort) => {
    const { client } = new Observer({ ...settings, origin, basePath })
    expect(client).toStrictEqual({ serverAddress, serverPort, basePath })
  })
})

describe('a channel that nobody listens to', () => {
  it('is told nothing of calls, requests and the queue', async () => {
    const names = ['call:start', 'call:end', 'attempt:start', 'attempt:end', 'rate-limit']
    const spies = names.map((name) => vi.spyOn(channel(`merchant-gateway:${name}`), 'publish'))
    await using gateway = await handMadeGateway({ create: [accept] })
    const rateLimit = { acquire: () => new Promise<void>((resolve) => setImmediate(resolve)) }
    await using client = clientOf(gateway.url, 'undici', { rateLimit })
    await create(client, 'payin')
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
  })
})
