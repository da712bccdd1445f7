import { describe, expect, test } from 'vitest'
import { isGatewayError } from '../../src/index.js'
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
    const client = clientOf(gateway.url, 'undici', { customerAccountPath: '/payins/{idPayin}/account' })
    await client.close()
    const operations = ['GET /x']
    const calls = [
      create(client, 'payin'),
      create(client, 'payout'),
      client.payins.retrieve('a'),
      client.payouts.retrieve('a'),
      client.payins.waitFor('a', { maxWaitMs: 1000 }),
      client.payouts.watch('a', { maxWaitMs: 1000 }).next(),
      client.payins.customerAccount('a'),
      client.payins.paymentOptions({ amount: 1, currencyCode: 'EUR' }),
      client.merchantInfo.retrieve(),
      client.balances.list(),
      client.currencies.list(),
      client.paymentOperators.list(),
      client.authTokens.create({ operations }),
      client.authTokens.createByAction({ action: 'PAYIN_INFO', idPayment: 'a' }),
      client.authTokens.shareable({ idPayin: 'a', validitySecs: 60 }),
      client.request({ method: 'GET', path: '/x', operations }),
    ]
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
