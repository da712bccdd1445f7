import { expect, test } from 'vitest'
import { readMessage, writeMessage } from '../../../src/shared/stores/payment-message.js'

test.each(['order-1', 'with spaces and : colons', 'ünï-😀', 'line\nbreak'])(
  'a message says which payment: %j',
  (id) => {
    for (const kind of ['payin', 'payout'] as const) {
      expect(readMessage(writeMessage('me', { kind, id }), 'other')).toEqual({ kind, id })
    }
  },
)

test('what one has sent oneself is not heard', () => {
  expect(readMessage(writeMessage('me', { kind: 'payin', id: 'order-1' }), 'me')).toBeUndefined()
})

test('an id that is too long, or that no database takes, is not told of', () => {
  expect(writeMessage('me', { kind: 'payin', id: 'x'.repeat(3_000) })).toBeUndefined()
  expect(writeMessage('me', { kind: 'payin', id: 'a\0b' })).toBeUndefined()
})

test.each([
  undefined,
  null,
  7,
  '',
  '1',
  '1 you payin ',
  '1 you refund order-1',
  '2 you payin order-1',
  '1  payin order-1',
  '{"kind":"payin","id":"order-1"}',
  `1 you payin ${'x'.repeat(3_000)}`,
])('what is no message is not heard: %j', (message) => {
  expect(readMessage(message, 'me')).toBeUndefined()
})
