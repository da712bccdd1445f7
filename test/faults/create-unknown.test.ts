import { describe, expect, test } from 'vitest'
import type { FaultAction } from '../../packages/sandbox/src/index.js'
import type { CallOptions } from '../../src/index.js'
import { until } from '../support/turns.js'
import { privatePem } from '../support/vectors.js'
import { always, createOver, type Row, rowTest } from './create-table.js'
import { listeningSandbox } from './sandbox.js'
import { accept, handMadeGateway, json, stall } from './servers.js'
import { clientOf, create, createRoute, failure, matrix } from './support.js'

/** Attempts after which nobody knows, and whether the gateway had accepted. */
const ambiguous: readonly [name: string, action: FaultAction, payments: number][] = [
  ['a time-out', { kind: 'timeout' }, 0],
  ['a time-out after processing', { kind: 'timeout', processed: true }, 1],
  ['a reset', { kind: 'drop-before' }, 0],
  ['a reset after processing', { kind: 'drop-after' }, 1],
  ['a 500', { kind: 'status', status: 500 }, 0],
  ['a 500 after processing', { kind: 'status', status: 500, processed: true }, 1],
  ['a 408', { kind: 'status', status: 408 }, 0],
  ['a 499 after processing', { kind: 'status', status: 499, processed: true }, 1],
]

/** Refusals that come too late to prove anything. */
const refusals: readonly [status: number, name: string, attempts: number][] = [
  [400, 'InvalidRequestError', 2],
  // A new token is tried for a while before another one is minted.
  [401, 'AuthenticationError', expect.any(Number)],
  [403, 'PermissionError', 2],
  [404, 'NotFoundError', 2],
  [422, 'InvalidRequestError', 2],
  [429, 'RateLimitError', 2],
]

/** Only what is silent takes so long; a response that a busy machine brings late must still come within it. */
const quick = { timeoutMs: 1200 }

const timeout = { name: 'TimeoutError', code: 'timeout' }
const connection = { name: 'ConnectionError', code: 'connection' }
const nothingBut = (
  name: string,
  action: FaultAction,
  error: typeof timeout,
  payments: number,
  call: CallOptions = {},
): Row => ({
  name,
  creates: [[action, always]],
  call,
  expected: { ...error, outcome: 'unknown', attempts: 2 },
  payments,
})

const rows: readonly Row[] = [
  ...ambiguous.flatMap(([first, action, payments], n) =>
    // Each ambiguity with one refusal, and the first with all of them.
    refusals
      .filter((_, m) => n === 0 || m === n % refusals.length)
      .map(
        ([status, name, attempts]): Row => ({
          name: `${first} and then a ${status} is unknown, not refused`,
          // A 429 is no retry, so one that asks for more time than the call has ends it.
          creates: [
            action,
            [{ kind: 'status', status, headers: { 'retry-after': status === 429 ? '61' : '0' } }, always],
          ],
          call: quick,
          expected: { name, code: expect.any(String), status, attempts, outcome: 'unknown' },
          payments,
        }),
      ),
  ),
  nothingBut('time-outs and nothing else', { kind: 'timeout' }, timeout, 0, quick),
  nothingBut('a body that is cut every time', { kind: 'cut-body' }, connection, 1),
  nothingBut('a body that stalls every time (PEER 2)', { kind: 'stall-body' }, timeout, 1, {
    timeoutMs: 150,
  }),
  nothingBut('resets and nothing else, with their cause', { kind: 'drop-before' }, connection, 0),
  {
    name: 'pages from a proxy and nothing else, with the first bytes of the page',
    creates: [[{ kind: 'html' }, always]],
    expected: {
      name: 'ServerError',
      code: 'server',
      status: 502,
      outcome: 'unknown',
      attempts: 2,
      more: { bodyStart: expect.stringMatching(/^<!DOCTYPE html>/) },
    },
    payments: 0,
  },
  {
    name: 'a redirect, which may follow processing',
    creates: [{ kind: 'status', status: 303, headers: { location: '/payins/order-1' } }],
    expected: {
      name: 'UnusableResponseError',
      code: 'unusable_response',
      status: expect.any(Number),
      outcome: 'unknown',
      attempts: 1,
    },
    payments: 0,
  },
  {
    name: 'a time-out, a 401, and a token endpoint that fails',
    creates: [{ kind: 'timeout' }, [{ kind: 'status', status: 401 }, always]],
    tokens: [{ kind: 'delay', ms: 0 }, [{ kind: 'status', status: 400 }, always]],
    call: quick,
    expected: { name: 'InvalidRequestError', code: 'invalid_request', status: 400, outcome: 'unknown' },
    payments: 0,
  },
  {
    name: 'a processed time-out, a 401, and a token endpoint that answers without a token',
    creates: [{ kind: 'timeout', processed: true }, [{ kind: 'status', status: 401 }, always]],
    tokens: [{ kind: 'delay', ms: 0 }, [{ kind: 'mutate', change: () => [] }, always]],
    call: quick,
    expected: { name: 'UnusableResponseError', code: 'unusable_response', outcome: 'unknown' },
    payments: 1,
  },
]

describe.each(matrix)('nobody can know whether the $kind exists, over $transport, after', (setup) => {
  for (const row of rows) rowTest(setup, row)

  const { kind, transport } = setup

  test.concurrent('a time-out, although a retry was then accepted by a gateway that is late', async () => {
    await using sandbox = await listeningSandbox({ clock: 'virtual' })
    await using client = clientOf(sandbox.url, transport, { privateKey: privatePem })
    sandbox.fault({ route: createRoute(kind), action: { kind: 'delay', ms: 5000, processed: 'late' } })
    expect(await create(client, kind, {}, quick)).toMatchObject({ replayed: false })
    await sandbox.clock.advance(5000)
    expect((kind === 'payin' ? sandbox.payins : sandbox.payouts).size).toBe(1)
  })

  test.concurrent('a call that ran out of its deadline with a request on the wire', async () => {
    const error = await createOver(setup, { create: [stall] }, {}, { deadlineMs: 1500 })
    expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'unknown', attempts: 1 })
  })

  test.concurrent('a 503 whose Retry-After is longer than the call may take', async () => {
    const error = await createOver(setup, { create: [json(503, {}, { 'retry-after': '3600' })] })
    expect(error).toMatchObject({
      name: 'ServerError',
      outcome: 'unknown',
      attempts: 1,
      retryAfterMs: 3_600_000,
    })
  })

  test.concurrent('a client that was closed between two attempts', async () => {
    await using gateway = await handMadeGateway({ create: [json(500, {}), accept] })
    await using closing = clientOf(gateway.url, transport, { rateLimit: { acquire: () => undefined } })
    const call = failure(create(closing, kind))
    await until(() =>
      gateway.requests.some(({ method, path }) => method === 'POST' && path.endsWith('/order-1')),
    )
    await closing.close()
    const error = await call
    expect(error).toMatchObject({ name: 'ClientClosedError', outcome: 'unknown' })
    expect(error.message).not.toMatch(/nothing was sent|before anything was sent/)
  })
})
