import { describe, expect, test } from 'vitest'
import { closedAddress } from '../support/listening.js'
import { always, type Row, rowTest } from './create-table.js'
import { anyToken, handMadeGateway, json } from './servers.js'
import { anySigner, clientOf, create, failure, idField, matrix } from './support.js'

const refusedBy = (status: number, name: string, code: string): Row => ({
  name: `a ${status} and nothing before it`,
  creates: [[{ kind: 'status', status, body: { code: 'NO', message: 'because' } }, always]],
  expected: { name, code, status, outcome: 'not-accepted', attempts: status === 401 ? 2 : 1 },
  payments: 0,
})

/** Every attempt was refused, so that the caller may decide anew. */
const rows: readonly Row[] = [
  refusedBy(400, 'InvalidRequestError', 'invalid_request'),
  refusedBy(401, 'AuthenticationError', 'authentication'),
  refusedBy(403, 'PermissionError', 'permission'),
  refusedBy(404, 'NotFoundError', 'not_found'),
  refusedBy(415, 'InvalidRequestError', 'invalid_request'),
  refusedBy(422, 'InvalidRequestError', 'invalid_request'),
  {
    name: 'more 429s than retries, with what the gateway asked for at last',
    creates: [
      [{ kind: 'status', status: 429, headers: { 'retry-after': '0.05' } }, 2],
      { kind: 'status', status: 429, headers: { 'retry-after': '61' } },
    ],
    options: { retries: 0 },
    expected: {
      name: 'RateLimitError',
      code: 'rate_limit',
      status: 429,
      outcome: 'not-accepted',
      attempts: 3,
      retryAfterMs: 61_000,
    },
    payments: 0,
  },
  {
    name: 'a 429 that asks for more time than the call has: it fails at once',
    creates: [[{ kind: 'status', status: 429, headers: { 'retry-after': '61' } }, always]],
    expected: {
      name: 'RateLimitError',
      code: 'rate_limit',
      status: 429,
      outcome: 'not-accepted',
      attempts: 1,
      retryAfterMs: 61_000,
    },
    payments: 0,
  },
  {
    name: 'a 429 and then a 400',
    creates: [
      { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
      { kind: 'status', status: 400 },
    ],
    expected: {
      name: 'InvalidRequestError',
      code: 'invalid_request',
      status: 400,
      outcome: 'not-accepted',
      attempts: 2,
    },
    payments: 0,
  },
  {
    name: 'no token: the token endpoint refuses',
    tokens: [[{ kind: 'status', status: 401 }, always]],
    expected: { name: 'AuthenticationError', code: 'authentication', status: 401, outcome: 'not-accepted' },
    payments: 0,
  },
  {
    name: 'no token: the token endpoint fails',
    tokens: [[{ kind: 'html' }, always]],
    expected: { name: 'ServerError', code: 'server', status: 502, outcome: 'not-accepted' },
    payments: 0,
  },
  {
    name: 'no token: the token endpoint never answers',
    tokens: [[{ kind: 'timeout' }, always]],
    options: { timeoutMs: 80 },
    expected: { name: 'TimeoutError', code: 'timeout', outcome: 'not-accepted' },
    payments: 0,
  },
  {
    name: 'no token: the answer holds none',
    tokens: [[{ kind: 'mutate', change: () => ({ other: 1 }) }, always]],
    expected: { name: 'UnusableResponseError', code: 'unusable_response', outcome: 'not-accepted' },
    payments: 0,
  },
  {
    name: 'no signature: the signer rejects',
    options: {
      privateKey: undefined,
      signer: { sign: () => Promise.reject(new Error('the HSM is locked')) },
    },
    expected: { name: 'SigningError', code: 'signing', outcome: 'not-accepted' },
    payments: 0,
  },
]

describe.each(matrix)('creating a $kind over $transport is not accepted after', (setup) => {
  for (const row of rows) rowTest(setup, row)

  const { kind, transport } = setup

  test.concurrent('connections that could not be made', async () => {
    await using client = clientOf(await closedAddress(), transport)
    const error = await failure(create(client, kind))
    expect({ ...error, name: error.name }).toMatchObject({
      name: 'ConnectionError',
      code: 'connection',
      outcome: 'not-accepted',
      [idField(kind)]: 'order-1',
    })
  })

  test.concurrent('connections that could not be made once there was a token', async () => {
    // The server goes away between the token and the payment, and takes its port with it.
    const last = { connection: 'close' }
    const gateway = await handMadeGateway({
      token: [json(200, { token: anyToken }, last)],
      lookUp: [json(404, {}, last)],
    })
    await using client = clientOf(gateway.url, transport, { retries: 1 })
    await failure(client.payins.retrieve('warm-up'))
    await failure(client.payouts.retrieve('warm-up'))
    await gateway[Symbol.asyncDispose]()
    const error = await failure(create(client, kind))
    expect({ ...error, name: error.name }).toMatchObject({
      name: 'ConnectionError',
      outcome: 'not-accepted',
      attempts: 2,
    })
    expect(error.cause).toMatchObject(transport === 'undici' ? { code: 'ECONNREFUSED' } : {})
  })

  test.concurrent('a limiter that fails', async () => {
    await using gateway = await handMadeGateway({ create: [json(500, {})] })
    const rateLimit = { acquire: () => Promise.reject(new Error('redis is down')) }
    await using client = clientOf(gateway.url, transport, { rateLimit, signer: anySigner })
    const error = await failure(create(client, kind))
    expect({ ...error, name: error.name }).toMatchObject({ name: 'ConnectionError', outcome: 'not-accepted' })
    expect(gateway.requests).toEqual([])
  })
})
