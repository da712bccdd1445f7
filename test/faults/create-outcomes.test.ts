import { describe } from 'vitest'
import { always, type Row, rowTest } from './create-table.js'
import { matrix } from './support.js'

const quick = { timeoutMs: 600 }

/** The gateway has the payment, and the caller gets it. */
const rows: readonly Row[] = [
  { name: 'a 2xx is the payment', expected: { replayed: false, creates: 1 }, payments: 1 },
  {
    name: 'a 409 and the same payment is a replay',
    before: 'the same',
    expected: { replayed: true, creates: 1 },
    payments: 1,
  },
  {
    name: 'a reset before it was processed is tried again',
    creates: [{ kind: 'drop-before' }],
    expected: { replayed: false, creates: 2 },
    payments: 1,
  },
  {
    name: 'a reset after it was processed is found again',
    creates: [{ kind: 'drop-after' }],
    expected: { replayed: true, creates: 2 },
    payments: 1,
  },
  {
    name: 'an answer that is cut in its body is found again',
    creates: [{ kind: 'cut-body' }],
    expected: { replayed: true, creates: 2 },
    payments: 1,
  },
  {
    name: 'an answer that stalls in its body is found again',
    creates: [{ kind: 'stall-body' }],
    call: quick,
    expected: { replayed: true, creates: 2 },
    payments: 1,
  },
  {
    name: 'an answer that never comes is found again',
    creates: [{ kind: 'timeout', processed: true }],
    call: quick,
    expected: { replayed: true, creates: 2 },
    payments: 1,
  },
  {
    name: 'a request that never was processed is tried again',
    creates: [{ kind: 'timeout' }],
    call: quick,
    expected: { replayed: false, creates: 2 },
    payments: 1,
  },
  {
    name: 'a 500 after it was processed is found again',
    creates: [{ kind: 'status', status: 500, processed: true }],
    expected: { replayed: true, creates: 2 },
    payments: 1,
  },
  {
    name: 'a 503 before it was processed is tried again',
    creates: [{ kind: 'status', status: 503 }],
    expected: { replayed: false, creates: 2 },
    payments: 1,
  },
  {
    name: 'a 408 is tried again',
    creates: [{ kind: 'status', status: 408 }],
    expected: { replayed: false, creates: 2 },
    payments: 1,
  },
  {
    name: 'a page from a proxy is tried again',
    creates: [{ kind: 'html' }],
    expected: { replayed: false, creates: 2 },
    payments: 1,
  },
  {
    name: 'a 429 is tried again',
    creates: [{ kind: 'status', status: 429, headers: { 'retry-after': '0' } }],
    expected: { replayed: false, creates: 2 },
    payments: 1,
  },
  {
    name: 'a 401 is answered with a fresh token, once',
    creates: [{ kind: 'status', status: 401 }],
    options: { retries: 0 },
    expected: { replayed: false, creates: 2 },
    payments: 1,
  },
  {
    name: 'a look-up that fails and then succeeds is a replay',
    before: 'the same',
    lookUps: [{ kind: 'drop-before' }],
    expected: { replayed: true, creates: 1 },
    payments: 1,
  },
  {
    name: 'a payment that the look-up sees only later is a replay',
    before: 'the same',
    lookUps: [{ kind: 'status', status: 404 }],
    expected: { replayed: true, creates: 1 },
    payments: 1,
  },
  {
    name: 'a mint that fails and then succeeds is no failure',
    tokens: [{ kind: 'status', status: 500 }],
    expected: { replayed: false, creates: 1 },
    payments: 1,
  },
  {
    name: 'the same id with another amount is a conflict that names the field',
    before: 'another amount',
    expected: {
      name: 'IdempotencyConflictError',
      code: 'idempotency_conflict',
      outcome: 'accepted',
      status: 409,
      attempts: 1,
      more: { differences: ['paymentRequested.money.amount'] },
    },
    payments: 1,
  },
  {
    name: 'the same id with another amount, met on a retry, is a conflict too',
    before: 'another amount',
    creates: [{ kind: 'drop-before' }],
    expected: {
      name: 'IdempotencyConflictError',
      code: 'idempotency_conflict',
      outcome: 'accepted',
      status: 409,
      attempts: 2,
    },
    payments: 1,
  },
  {
    name: 'a look-up that only fails leaves the payment accepted',
    before: 'the same',
    lookUps: [[{ kind: 'status', status: 500 }, always]],
    expected: { name: 'ServerError', code: 'server', outcome: 'accepted', status: 500, attempts: 2 },
    payments: 1,
  },
  {
    name: 'a look-up that never sees the payment leaves it accepted',
    before: 'the same',
    lookUps: [[{ kind: 'status', status: 404 }, always]],
    expected: { name: 'NotFoundError', code: 'not_found', outcome: 'accepted', status: 404, attempts: 2 },
    payments: 1,
  },
  {
    name: 'a look-up that may not be made leaves the payment accepted',
    before: 'the same',
    lookUps: [[{ kind: 'status', status: 403 }, always]],
    expected: { name: 'PermissionError', code: 'permission', outcome: 'accepted', status: 403, attempts: 1 },
    payments: 1,
  },
  {
    name: 'a look-up that shows garbage leaves the payment accepted',
    before: 'the same',
    lookUps: [[{ kind: 'html', status: 200 }, always]],
    expected: {
      name: 'UnusableResponseError',
      code: 'unusable_response',
      outcome: 'accepted',
      status: 200,
      attempts: 1,
    },
    payments: 1,
  },
]

describe.each(matrix)('creating a $kind over $transport', (setup) => {
  for (const row of rows) rowTest(setup, row)
})
