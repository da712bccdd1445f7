import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Call } from '../../../src/client/http/call.js'
import { Http } from '../../../src/client/http/http.js'
import { KnownSecrets } from '../../../src/client/http/known-secrets.js'
import type { GatewayRequest } from '../../../src/client/http/request.js'
import { FailedCall } from '../../../src/client/http/to-error.js'
import type { TransportFailure } from '../../../src/client/http/transport/transport.js'
import { meaningOfLookup } from '../../../src/client/payments/meaning.js'
import { anyShape } from '../../../src/client/schemas/account-data.js'
import { httpParts } from './support.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const request: GatewayRequest<unknown> = {
  name: 'balances.list',
  method: 'GET',
  path: '/balances',
  route: 'GET /balances',
  lane: 'read',
  shape: anyShape,
  meaning: meaningOfLookup,
}

it('a call whose permits never last until it is written ends with its deadline, and nothing was sent', async () => {
  let permits = 0
  const limiter = {
    acquire: () => {
      permits++
      if (permits > 50) throw new Error('it goes on for ever')
      return undefined
    },
  }
  const transport = {
    send: async (): Promise<TransportFailure> => {
      vi.advanceTimersByTime(100)
      return { kind: 'permit-expired' }
    },
  }
  const { permits: queue, observer, transport: over } = httpParts({ transport, limiter })
  const http = new Http(
    over,
    queue,
    {
      basePath: '',
      timeoutMs: 500,
      deadlineMs: 1000,
      retries: 2,
      now: Date.now,
      secrets: () => [],
    },
    observer,
  )
  const result = await http.trySend(new Call(http.limits(undefined), new KnownSecrets()), request)
  expect(result).toBeInstanceOf(FailedCall)
  expect(result).toMatchObject({ evidence: 'none', context: { attempts: 0 } })
  expect(permits).toBe(10)
})
