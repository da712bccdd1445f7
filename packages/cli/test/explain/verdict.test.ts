import { expect, test } from 'vitest'
import type { LogLine } from '../../src/explain/read-log.js'
import { verdictOf } from '../../src/explain/verdict.js'

const own = {
  time: '2026-11-25T12:00:00.000Z',
  kind: 'payout',
  process: 'a1b2c3d4',
  call: 1,
  pid: undefined,
  host: undefined,
  name: undefined,
  attempt: undefined,
  method: undefined,
  status: undefined,
  outcome: undefined,
  replayed: false,
  failure: undefined,
  code: undefined,
  message: undefined,
  result: undefined,
  paymentStatus: undefined,
} as const
const create = { ...own, name: 'payouts.create' }
const began: LogLine = { ...create, event: 'attempt:start', attempt: 1, method: 'POST' }
const refused: LogLine = { ...create, event: 'call:end', outcome: 'not-accepted', code: 'invalid_request' }
const looked: LogLine = { ...own, name: 'payouts.retrieve', event: 'call:end' }
const failed: LogLine = { ...looked, message: 'no such host' }
const callback: LogLine = { ...own, event: 'callback', result: 'unavailable' }
const told: LogLine = { ...own, event: 'delivery', result: 'rejected' }

test.each<[string, readonly LogLine[], string]>([
  ['no log has a create of it', [], 'and no log here has a create of it'],
  ['a look-up has failed', [failed], 'and no log here has a create of it'],
  [
    'its creates were refused',
    [began, { ...began, event: 'attempt:end' }, refused],
    'no money has moved by it',
  ],
  ['an attempt has no end', [refused, { ...began, call: 2 }], 'although it may have accepted it'],
  [
    'another call has two ends of attempts',
    [refused, began, { ...began, call: 2, event: 'attempt:end' }],
    'although it may have accepted it',
  ],
  ['a callback came', [refused, callback], 'although it may have accepted it'],
  ['it was seen by a look-up', [refused, looked], 'although it accepted it'],
  ['a function was called with it', [refused, told], 'although it accepted it'],
])('of a payout that the gateway does not show, when %s', (_, lines, money) => {
  expect(verdictOf('payout', lines, { state: 'missing' }).money).toContain(money)
})
