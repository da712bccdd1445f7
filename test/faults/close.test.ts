import { describe, expect, test } from 'vitest'
import { isGatewayError } from '../../src/index.js'
import { customerAccountPath, methods, waits } from '../support/methods.js'
import { until } from '../support/turns.js'
import { handMadeGateway, json } from './servers.js'
import { bringTo, handles, stages, untilNoMoreThan } from './stages.js'
import { clientOf, create, failure } from './support.js'

describe.each(['undici', 'fetch'] as const)(
  'over %s, closing the client settles a payout that waits for',
  (transport) => {
    test.each(stages)('$name', async (stage) => {
      const before = handles()
      const limits = stage.finishes === true ? { timeoutMs: 200, deadlineMs: 400 } : {}
      const at = await bringTo(stage, transport, {}, limits)
      const closing = at.client.close()
      const error = await failure(at.call)
      await closing
      // What is on the wire comes to its own end; what only waits is refused.
      const names = stage.finishes === true ? ['TimeoutError', 'ClientClosedError'] : ['ClientClosedError']
      expect(names).toContain(error.name)
      expect(error.outcome).toBe(stage.outcome)
      if (transport === 'undici' && stage.name !== 'a connection') await until(() => at.openSockets() === 0)
      await at.end()
      await untilNoMoreThan(before)
    })
  },
)

describe('a closed client', () => {
  test('refuses every method with its own error, sends nothing, and closes again without harm', async () => {
    await using gateway = await handMadeGateway({})
    const client = clientOf(gateway.url, 'undici', { customerAccountPath })
    await client.close()
    const calls = Object.values({ ...methods, ...waits }).map((call) => call(client, 'a'))
    for (const error of await Promise.all(calls.map(failure))) expect(error.code).toBe('client_closed')
    expect(gateway.requests).toEqual([])
    await client.close()
    await client[Symbol.asyncDispose]()
  })

  test('never opens a connection when it was never used', async () => {
    await using gateway = await handMadeGateway({})
    const client = clientOf(gateway.url, 'undici')
    await client.close()
    expect(gateway.sockets.size).toBe(0)
  })

  test('closes as often as it is asked to, at the same time', async () => {
    await using gateway = await handMadeGateway({ create: [json(500, {})] })
    const client = clientOf(gateway.url, 'undici')
    const calls = Array.from({ length: 20 }, (_, n) => create(client, 'payout', { id: `o-${n}` }))
    const settled = Promise.allSettled(calls)
    await until(() => gateway.requests.length > 5)
    await Promise.all([client.close(), client.close(), client.close()])
    for (const one of await settled) {
      expect(one.status === 'rejected' && isGatewayError(one.reason)).toBe(true)
    }
    await until(() => gateway.sockets.size === 0)
  })
})
