import { describe, expect, it, vi } from 'vitest'
import { attempt } from '../../../src/client/http/attempt.js'
import { Call, KnownSecrets, noAttempts } from '../../../src/client/http/call.js'
import type { GatewayRequest } from '../../../src/client/http/request.js'
import { LazyTransport } from '../../../src/client/http/transport/transport.js'
import { anyShape } from '../../../src/client/schemas/account-data.js'
import { httpParts } from './support.js'

const request: GatewayRequest<unknown> = {
  route: { name: 'balances.list', method: 'GET', template: '/balances' },
  path: '/balances',
  priority: 'customer',
  shape: anyShape,
  about: { kind: 'account' },
}

function callOf(timeoutMs: number): Call {
  const startedAt = performance.now()
  const limits = { signal: undefined, timeoutMs, deadlineMs: 60_000, retries: 0, startedAt }
  return new Call(limits, new KnownSecrets())
}

/** One attempt whose token is looked at before and after its wait for a permit. */
async function attemptWith(fresh: readonly (string | undefined)[]) {
  const looks = [...fresh]
  const seen = { carried: [] as (string | undefined)[], minted: 0, permits: 0, ended: 0 }
  const limiter = {
    acquire: () => {
      seen.permits++
      return undefined
    },
    sent: () => {
      seen.ended++
    },
  }
  const token = {
    fresh: () => looks.shift(),
    mint: () => {
      seen.minted++
      return Promise.resolve('minted')
    },
    worked: () => undefined,
    refused: () => undefined,
  }
  const transport = {
    send: ({ headers }: { headers: Readonly<Record<string, string>> }) => {
      seen.carried.push(headers.authorization)
      return Promise.resolve({ status: 200, body: '{}', headers: { get: () => undefined } })
    },
  }
  const parts = httpParts({ transport, limiter })
  await attempt(parts, callOf(60_000), { ...request, token }, { ...noAttempts })
  return seen
}

describe('a token, while its call waits for a permit,', () => {
  it('may stay as it is', async () => {
    expect(await attemptWith(['t1', 't1'])).toEqual({
      carried: ['Bearer t1'],
      minted: 0,
      permits: 1,
      ended: 1,
    })
  })

  it('may be replaced: the call takes the new one, and needs no second permit', async () => {
    expect(await attemptWith(['t1', 't2'])).toEqual({
      carried: ['Bearer t2'],
      minted: 0,
      permits: 1,
      ended: 1,
    })
  })

  it('may run out: the call hands its permit back, gets a new token, and takes another permit', async () => {
    expect(await attemptWith(['t1', undefined])).toEqual({
      carried: ['Bearer minted'],
      minted: 1,
      permits: 2,
      ended: 2,
    })
  })
})

it('takes no permit, and no longer than timeoutMs, where what sends it does not load', async () => {
  const acquire = vi.fn(() => undefined)
  const parts = {
    ...httpParts({ transport: { send: () => Promise.reject() }, limiter: { acquire } }),
    transport: new LazyTransport(() => new Promise(() => {})),
  }
  const attempts = { ...noAttempts }
  expect(await attempt(parts, callOf(1), request, attempts)).toEqual({ kind: 'timeout', sent: false })
  expect([attempts.count, acquire.mock.calls.length]).toEqual([0, 0])
})
