import { describe, test } from 'vitest'
import { rowsOf } from '../support/failures.js'
import { playRow } from './create-row.js'
import { matrix } from './support.js'

/**
 * What befalls a create, its lookups and the requests for its token, what was there before, and what comes of it: the
 * payment after so many creates, or an error with its outcome, its status, its attempts, and how many payments there are.
 */
const table = `
  a 2xx is the payment                                  |               |           |         |       | created 1
  a reset before it was processed is tried again        | reset         |           |         |       | created 2
  a reset after it was processed is found again         | reset+        |           |         |       | replayed 2
  a response that is cut in its body is found again     | cut+          |           |         |       | replayed 2
  a response that stalls in its body is found again     | stall+        |           |         |       | replayed 2
  a response that never comes is found again            | silence+      |           |         |       | replayed 2
  a request that never was processed is tried again     | silence       |           |         |       | created 2
  a 500 after it was processed is found again           | 500+          |           |         |       | replayed 2
  a 503 before it was processed is tried again          | 503           |           |         |       | created 2
  a 408 is tried again                                  | 408           |           |         |       | created 2
  a page from a proxy is tried again                    | page          |           |         |       | created 2
  a 429 is tried again                                  | 429/0         |           |         |       | created 2
  a 401 to a new token is tried again                   | 401           |           |         |       | created 2 | retries: 0
  a 401 is none of the retries                          | 401 503       |           |         |       | created 3
  a 429 is none of the retries                          | 429/0 503     |           |         |       | created 3
  a mint that fails and then succeeds is no failure     |               |           | 500     |       | created 1
  a 409 and the same payment is a replay                |               |           |         | same  | replayed 1
  a lookup that fails and then succeeds is a replay     |               | reset     |         | same  | replayed 1
  a payment that the lookup sees later is a replay      |               | 404       |         | same  | replayed 1
  another amount under the id is a conflict             |               |           |         | other | IdempotencyConflictError accepted 409 1 1
  and met on a retry it is a conflict too               | reset         |           |         | other | IdempotencyConflictError accepted 409 2 1
  a lookup that only fails leaves it accepted           |               | 500*      |         | same  | ServerError accepted 500 2 1
  a lookup that never sees the payment does             |               | 404*      |         | same  | NotFoundError accepted 404 2 1
  a lookup that may not be made does                    |               | 403*      |         | same  | PermissionError accepted 403 2 1
  a lookup that shows garbage does                      |               | page-200* |         | same  | UnusableResponseError accepted 200 1 1

  a 400 and nothing before it refuses                   | 400*          |           |         |       | InvalidRequestError not-accepted 400 1 0
  a 401 and nothing before it refuses                   | 401*          |           |         |       | AuthenticationError not-accepted 401 - 0
  a 403 and nothing before it refuses                   | 403*          |           |         |       | PermissionError not-accepted 403 1 0
  a 404 and nothing before it refuses                   | 404*          |           |         |       | NotFoundError not-accepted 404 1 0
  a 415 and nothing before it refuses                   | 415*          |           |         |       | InvalidRequestError not-accepted 415 1 0
  a 422 and nothing before it refuses                   | 422*          |           |         |       | InvalidRequestError not-accepted 422 1 0
  429s cost no retries, until one asks for too much     | 429/0.05x2 429/61 |       |         |       | RateLimitError not-accepted 429 3 0 | retries: 0
  a 429 that asks for more time than there is refuses   | 429/61*       |           |         |       | RateLimitError not-accepted 429 1 0
  a 429 and then a 400 refuse                           | 429/0 400     |           |         |       | InvalidRequestError not-accepted 400 2 0
  a refused token request refuses                       |               |           | 401*    |       | AuthenticationError not-accepted 401 - 0
  a token request that fails refuses                    |               |           | page*   |       | ServerError not-accepted 502 - 0
  a token request that nobody answers refuses           |               |           | silence* |      | TimeoutError not-accepted - - 0
  a response without a token refuses                    |               |           | no-token* |     | UnusableResponseError not-accepted - - 0
  a signature that is not made refuses                  |               |           |         |       | SigningError not-accepted - - 0 | a signer that fails

  time-outs and nothing else                            | silence*      |           |         |       | TimeoutError unknown - 2 0
  resets and nothing else                               | reset*        |           |         |       | ConnectionError unknown - 2 0
  a body that is cut every time                         | cut+*         |           |         |       | ConnectionError unknown - 2 1
  a body that stalls every time (PEER 2)                | stall+*       |           |         |       | TimeoutError unknown - 2 1
  pages from a proxy and nothing else                   | page*         |           |         |       | ServerError unknown 502 2 0
  a redirect, which may follow processing               | redirect      |           |         |       | UnusableResponseError unknown - 1 0
  a time-out, a 401 and a token request that fails      | silence 401*  |           | fine 400* |     | InvalidRequestError unknown 400 - 0
  a processed time-out, a 401 and no token              | silence+ 401* |           | fine []+* |     | UnusableResponseError unknown - - 1

  a 2xx that is a page                                  | page-200+     |           |         |       | UnusableResponseError unknown 200 1 1
  a 2xx without a body                                  | nothing+      |           |         |       | UnusableResponseError unknown 200 1 1
  a 204                                                 | 204+          |           |         |       | UnusableResponseError unknown 204 1 1
  a 2xx with half of a JSON text                        | half+         |           |         |       | UnusableResponseError unknown 201 1 1
  a 2xx that is null                                    | null+         |           |         |       | UnusableResponseError unknown 200 1 1
  a 2xx that is a list                                  | []+           |           |         |       | UnusableResponseError unknown 200 1 1
  a 2xx that is a number                                | 7+            |           |         |       | UnusableResponseError unknown 200 1 1
  a 2xx without a payment                               | {}+           |           |         |       | UnusableResponseError unknown 202 1 1
  a 2xx with a payment without its id                   | no-id+        |           |         |       | UnusableResponseError unknown 200 1 1
  a 2xx with a payment with another id                  | another-id+   |           |         |       | UnusableResponseError unknown 200 1 1
  a 2xx with the payment without its money              | no-money+     |           |         |       | UnusableResponseError accepted 200 1 1`

/** Attempts after which nobody knows, each with one refusal that comes too late, and the first with all of them. */
const ambiguous = ['silence', 'silence+', 'reset', 'reset+', '500/0', '500+/0', '408/0', '499+/0']
const refusals = [
  ['400*', 'InvalidRequestError unknown 400 2'],
  ['401*', 'AuthenticationError unknown 401 -'],
  ['403*', 'PermissionError unknown 403 2'],
  ['404*', 'NotFoundError unknown 404 2'],
  ['422*', 'InvalidRequestError unknown 422 2'],
  // A 429 is no retry, so one that asks for more time than the call has ends it.
  ['429/61*', 'RateLimitError unknown 429 2'],
] as const
const late = ambiguous.flatMap((first, n) =>
  refusals
    .filter((_, m) => n === 0 || m === n % refusals.length)
    .map(([then, error]) => [
      `${first} and then ${then}: unknown, not refused`,
      `${first} ${then}`,
      ...['', '', '', `${error} ${first.includes('+') ? 1 : 0}`],
    ]),
)

describe.each(matrix)('creating a $kind over $transport', (setup) => {
  test.concurrent.each([...rowsOf(table).filter(({ length }) => length > 1), ...late])('%s', (...row) =>
    playRow(setup, row),
  )
})
