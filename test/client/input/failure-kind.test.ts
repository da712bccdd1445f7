import { expect, test } from 'vitest'
import { failureKind } from '../../../src/client/input/failure-kind.js'

const error = (message: string, more: object = {}) => Object.assign(new Error(message), more)

test.each([
  [error('connect ECONNREFUSED 10.0.0.7:6379', { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [error('Connection is closed.'), 'Connection is closed.'],
  [error('no response within 500 ms'), 'no response within 500 ms'],
  [error('Connection terminated unexpectedly'), 'Connection terminated unexpectedly'],
  [error("READONLY You can't write against a read only replica.", { name: 'ReplyError' }), 'READONLY'],
  [error('Reached the max retries', { name: 'MaxRetriesPerRequestError' }), 'MaxRetriesPerRequestError'],
])('a failure of a store is told by its code, or by what drivers say: %s', (reason, kind) => {
  expect(failureKind(reason)).toBe(kind)
})

test.each([
  [error('password authentication failed for user "jane"'), 'Error'],
  [error('Connection is closed. redis://:secret@host'), 'Error'],
  [error('jane doe', { code: 'a secret', name: 'jane@doe.example' }), 'error'],
  ['a secret', 'string'],
  [null, 'object'],
])('no other text of it is told: %s', (reason, kind) => {
  expect(failureKind(reason)).toBe(kind)
})
