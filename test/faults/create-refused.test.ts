import { describe, expect, test } from 'vitest'
import type { FaultAction } from '../../packages/sandbox/src/index.js'
import { closedAddress } from '../support/listening.js'
import { always, type Failure, type Row, rowTest } from './create-table.js'
import { clientOf, create, failure, idField, matrix } from './support.js'

type Refused = Omit<Row, 'payments' | 'expected'> & { readonly expected: Omit<Failure, 'outcome'> }

const refusedBy = (status: number, name: string, code: string): Refused => ({
  name: `a ${status} and nothing before it`,
  creates: [[{ kind: 'status', status, body: { code: 'NO', message: 'because' } }, always]],
  expected: {
    name,
    code,
    status, // A new token is tried for a while before another one is minted.
    attempts: status === 401 ? expect.any(Number) : 1,
  },
})

const noToken = (why: string, hit: FaultAction, name: string, code: string, more: object = {}): Refused => ({
  name: `no token: ${why}`,
  tokens: [[hit, always]],
  options: { timeoutMs: hit.kind === 'timeout' ? 80 : 2000 },
  expected: { name, code, ...more },
})

const unauthenticated = ['AuthenticationError', 'authentication', { status: 401 }] as const
const noneInIt = { kind: 'mutate', change: () => ({ other: 1 }) } as const
const limited = { name: 'RateLimitError', code: 'rate_limit', status: 429, retryAfterMs: 61_000 } as const

/** Every attempt was refused, so that the caller may decide anew. */
const rows: readonly Refused[] = [
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
    expected: { ...limited, attempts: 3 },
  },
  {
    name: 'a 429 that asks for more time than the call has: it fails at once',
    creates: [[{ kind: 'status', status: 429, headers: { 'retry-after': '61' } }, always]],
    expected: { ...limited, attempts: 1 },
  },
  {
    name: 'a 429 and then a 400',
    creates: [
      { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
      { kind: 'status', status: 400 },
    ],
    expected: { name: 'InvalidRequestError', code: 'invalid_request', status: 400, attempts: 2 },
  },
  noToken('the token endpoint refuses', { kind: 'status', status: 401 }, ...unauthenticated),
  noToken('the token endpoint fails', { kind: 'html' }, 'ServerError', 'server', { status: 502 }),
  noToken('the token endpoint never answers', { kind: 'timeout' }, 'TimeoutError', 'timeout'),
  noToken('the response holds none', noneInIt, 'UnusableResponseError', 'unusable_response'),
  {
    name: 'no signature: the signer rejects',
    options: {
      privateKey: undefined,
      signer: { sign: () => Promise.reject(new Error('the HSM is locked')) },
    },
    expected: { name: 'SigningError', code: 'signing' },
  },
]

describe.each(matrix)('creating a $kind over $transport is not accepted after', (setup) => {
  for (const row of rows) {
    rowTest(setup, { ...row, expected: { ...row.expected, outcome: 'not-accepted' }, payments: 0 })
  }

  const { kind, transport } = setup

  test.concurrent('connections that could not be made', async () => {
    await using client = clientOf(await closedAddress(), transport)
    expect(await failure(create(client, kind))).toMatchObject({
      name: 'ConnectionError',
      code: 'connection',
      outcome: 'not-accepted',
      [idField(kind)]: 'order-1',
    })
  })
})
