import { expect, test } from 'vitest'
import { Mask } from '../../../sandbox/src/desk/control/mask/mask.js'
import { RequestSearch } from '../../../sandbox/src/desk/control/requests/request-search.js'
import { LoggedRequest } from '../../../sandbox/src/gateway/engine/logged-request.js'

const mask = new Mask([])
const target = { path: '/payins/one', query: '', name: undefined, id: undefined, allowed: [] }

/** A request that is over, with a body of about so many bytes. */
function logged(number: number, bytes = 1000): LoggedRequest {
  const body = Buffer.from(JSON.stringify({ order: `order-${number}`, note: 'x'.repeat(bytes) }))
  const request = { method: 'POST', path: '/payins/one', headers: {}, body }
  const one = new LoggedRequest(number, request, target, 0, {})
  one.ended({ realMs: 1, clockMs: 1 }, true)
  return one
}

const log = Array.from({ length: 100 }, (_, index) => logged(index + 1))
const found = (search: RequestSearch, ...words: string[]) =>
  log.filter((one) => search.hasWords(one, () => 'It was served.', words)).map(({ number }) => number)

test('a search keeps no more than its bound, and finds what it did not keep', () => {
  const search = new RequestSearch(mask, 20_000)
  for (let time = 0; time < 3; time += 1) {
    expect(found(search, 'order-99')).toEqual([99])
    expect(found(search, 'served.', '/payins/one')).toHaveLength(100)
    expect(search.bytes).toBeLessThanOrEqual(20_000)
    expect(search.bytes).toBeGreaterThan(10_000)
  }
})

test('a search forgets what the log has forgotten, and then has room again', () => {
  const search = new RequestSearch(mask, 20_000)
  found(search, 'x')
  const full = search.bytes
  search.follow(log.slice(5))
  expect(search.bytes).toBeLessThan(full)
  search.follow([])
  expect(search.bytes).toBe(0)
})

test('a body of brackets that a stranger has sent breaks no search', () => {
  const body = Buffer.from('['.repeat(200_000) + ']'.repeat(200_000))
  const deep = new LoggedRequest(1, { method: 'POST', path: '/deep', headers: {}, body }, target, 0, {})
  expect(new RequestSearch(mask).hasWords(deep, () => '', ['/deep'])).toBe(true)
})

test('a search keeps nothing of a request that is still under way', () => {
  const search = new RequestSearch(mask)
  const body = Buffer.alloc(0)
  const waiting = new LoggedRequest(1, { method: 'GET', path: '/a', headers: {}, body }, target, 0, {})
  expect(search.hasWords(waiting, () => 'Not answered yet.', ['answered'])).toBe(true)
  expect(search.hasWords(waiting, () => 'It was served.', ['answered'])).toBe(false)
  expect(search.bytes).toBe(0)
})
