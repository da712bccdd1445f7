import { channel } from 'node:diagnostics_channel'
import { expect, it, vi } from 'vitest'
import { accept, handMadeGateway } from '../../faults/servers.js'
import { clientOf, create } from '../../faults/support.js'

// In a process of its own: the logger of any client listens to the channels of all.
it('a channel that nobody listens to is told nothing of calls, requests and the queue', async () => {
  const traces = ['call', 'attempt'].flatMap((trace) =>
    ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map(
      (name) => `tracing:merchant-gateway:${trace}:${name}`,
    ),
  )
  const spies = [...traces, 'merchant-gateway:rate-limit'].map((name) => vi.spyOn(channel(name), 'publish'))
  await using gateway = await handMadeGateway({ create: [accept] })
  const rateLimit = { acquire: () => new Promise<void>((resolve) => setImmediate(resolve)) }
  await using client = clientOf(gateway.url, 'undici', { rateLimit })
  await create(client, 'payin')
  for (const spy of spies) expect(spy).not.toHaveBeenCalled()
})
