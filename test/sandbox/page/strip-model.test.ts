import { expect, test } from 'vitest'
import { stripOf } from '../../../sandbox/src/desk/page/payments/strip-model.js'
import { callback, lookup, request, status } from '../entries.js'

const history = [
  request(0, { tookMs: 0, arrival: 'reset' }),
  status(0, 'CREATED'),
  status(250, 'PENDING', 'CREATED'),
  lookup(500, { tookMs: 0 }),
  status(1000, 'SUCCESS', 'PENDING'),
  callback(1000),
]

test('is true to scale, whatever the gaps', () => {
  const strip = stripOf(history)
  expect(strip?.phases.map(({ status: name, from, to }) => [name, from, to])).toEqual([
    ['CREATED', 0, 0.25],
    ['PENDING', 0.25, 1],
    ['SUCCESS', 1, 1],
  ])
  expect(strip?.requests.map(({ from, tone }) => [from, tone])).toEqual([
    [0, 'lost'],
    [0.5, 'good'],
  ])
  expect(strip?.callbacks.map(({ from }) => from)).toEqual([1])
})

test('says in words what it shows', () => {
  expect(stripOf(history)?.words).toBe(
    'The history to scale, 1 s in all: CREATED for 250 ms, PENDING for 750 ms, then SUCCESS; 2 requests and 1 callback.',
  )
})

test('counts what stands too near to be told apart, in the colour of the worst', () => {
  const strip = stripOf([...history, lookup(501, { status: 404, tookMs: 0 }), lookup(502, { tookMs: 0 })])
  expect(strip?.requests.map(({ count, tone }) => [count, tone])).toEqual([
    [1, 'lost'],
    [3, 'bad'],
  ])
})

test('leaves out the request for a token, which may be much older', () => {
  const mint = request(-86_400_000, { signature: { verdict: 'valid', why: '' } })
  expect(stripOf([mint, ...history])).toEqual(stripOf(history))
})

test('shows a request for as long as it took', () => {
  const [slow] = stripOf([request(0, { tookMs: 3000 }), status(0, 'CREATED')])?.requests ?? []
  expect(slow).toMatchObject({ from: 0, to: 1 })
})

test('is not there when nothing took any time', () => {
  expect(stripOf([request(5, { tookMs: 0 }), status(5, 'CREATED')])).toBeUndefined()
  expect(stripOf([])).toBeUndefined()
})

test.each([
  [1, ['0', '1 ms']],
  [1000, ['0', '200 ms', '400 ms', '600 ms', '800 ms', '1 s']],
  [150_000, ['0', '30 s', '1 min', '1 min 30 s', '2 min', '2 min 30 s']],
  [86_400_000, ['0', '8 h', '16 h', '1 d']],
  [30 * 86_400_000, ['0', '6 d', '12 d', '18 d', '24 d', '30 d']],
])('has round times below it: %d ms', (lasts, labels) => {
  const { ticks = [] } = stripOf([status(0, 'CREATED'), status(lasts, 'SUCCESS')]) ?? {}
  expect(ticks.map(({ label }) => label)).toEqual(labels)
})
