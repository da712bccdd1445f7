import { describe } from 'vitest'
import type { FaultAction } from '../../packages/sandbox/src/index.js'
import type { CallOptions } from '../../src/index.js'
import { always, type Hit, type Row, rowTest } from './create-table.js'
import { matrix } from './support.js'

const quick = { timeoutMs: 600 }

type Ended = Omit<Row, 'payments'>

/** The first create fails in this way, and the second one is what made the payment. */
const triedAgain = (what: string, hit: Hit, call?: CallOptions): Ended => ({
  name: `${what} is tried again`,
  creates: [hit],
  call,
  expected: { replayed: false, creates: 2 },
})

/** The first create fails in this way, and had made the payment. */
const foundAgain = (what: string, hit: Hit, call?: CallOptions): Ended => ({
  name: `${what} is found again`,
  creates: [hit],
  call,
  expected: { replayed: true, creates: 2 },
})

/** A payment that is there before, and what becomes of the lookups for it. */
const replay = (name: string, ...lookups: readonly Hit[]): Ended => ({
  name,
  before: 'the same',
  lookups,
  expected: { replayed: true, creates: 1 },
})

/** A payment that is there before, and can't be looked up. */
const accepted = (what: string, action: FaultAction, name: string, code: string, attempts = 2): Ended => ({
  name: `a lookup that ${what} leaves the payment accepted`,
  before: 'the same',
  lookups: [[action, always]],
  expected: { name, code, attempts, status: Object(action).status, outcome: 'accepted' },
})

/** Another payment that has the id. */
const conflict = (name: string, attempts: number, creates: readonly Hit[], more?: object): Ended => ({
  name,
  before: 'another amount',
  creates,
  expected: {
    name: 'IdempotencyConflictError',
    code: 'idempotency_conflict',
    outcome: 'accepted',
    status: 409,
    attempts,
    more,
  },
})

/** The gateway has the payment, and the caller gets it. */
const rows: readonly Ended[] = [
  { name: 'a 2xx is the payment', expected: { replayed: false, creates: 1 } },
  replay('a 409 and the same payment is a replay'),
  triedAgain('a reset before it was processed', { kind: 'drop-before' }),
  foundAgain('a reset after it was processed', { kind: 'drop-after' }),
  foundAgain('a response that is cut in its body', { kind: 'cut-body' }),
  foundAgain('a response that stalls in its body', { kind: 'stall-body' }, quick),
  foundAgain('a response that never comes', { kind: 'timeout', processed: true }, quick),
  triedAgain('a request that never was processed', { kind: 'timeout' }, quick),
  foundAgain('a 500 after it was processed', { kind: 'status', status: 500, processed: true }),
  triedAgain('a 503 before it was processed', { kind: 'status', status: 503 }),
  triedAgain('a 408', { kind: 'status', status: 408 }),
  triedAgain('a page from a proxy', { kind: 'html' }),
  triedAgain('a 429', { kind: 'status', status: 429, headers: { 'retry-after': '0' } }),
  {
    name: 'a 401 to a new token is tried again',
    creates: [{ kind: 'status', status: 401 }],
    options: { retries: 0 },
    expected: { replayed: false, creates: 2 },
  },
  replay('a lookup that fails and then succeeds is a replay', { kind: 'drop-before' }),
  replay('a payment that the lookup sees only later is a replay', { kind: 'status', status: 404 }),
  {
    name: 'a mint that fails and then succeeds is no failure',
    tokens: [{ kind: 'status', status: 500 }],
    expected: { replayed: false, creates: 1 },
  },
  conflict('the same id with another amount is a conflict that names the field', 1, [], {
    differences: ['paymentRequested.money.amount'],
  }),
  conflict('the same id with another amount, met on a retry, is a conflict too', 2, [
    { kind: 'drop-before' },
  ]),
  accepted('only fails', { kind: 'status', status: 500 }, 'ServerError', 'server'),
  accepted('never sees the payment', { kind: 'status', status: 404 }, 'NotFoundError', 'not_found'),
  accepted('may not be made', { kind: 'status', status: 403 }, 'PermissionError', 'permission'),
  accepted('shows garbage', { kind: 'html', status: 200 }, 'UnusableResponseError', 'unusable_response', 1),
]

describe.each(matrix)('creating a $kind over $transport', (setup) => {
  for (const row of rows) rowTest(setup, { ...row, payments: 1 })
})
