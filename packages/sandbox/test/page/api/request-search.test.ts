import { expect, test } from 'vitest'
import { LoggedRequest } from '../../../src/gateway/engine/logged-request.js'
import { hasWords } from '../../../src/page/api/requests/request-search.js'

const target = { path: '/payins/one', query: '', name: undefined, id: undefined, allowed: [] }

test('a body of brackets that a stranger has sent breaks no search', () => {
  const body = Buffer.from('['.repeat(200_000) + ']'.repeat(200_000))
  const deep = new LoggedRequest(1, { method: 'POST', path: '/deep', headers: {}, body }, target, 0, {})
  expect(hasWords(deep, ['/deep'], () => ({ path: '/deep' }))).toBe(true)
})

test('a request that is still under way is searched as it is now', () => {
  const body = Buffer.alloc(0)
  const waiting = new LoggedRequest(1, { method: 'GET', path: '/a', headers: {}, body }, target, 0, {})
  expect(hasWords(waiting, ['answered'], () => ({ what: 'Not answered yet.' }))).toBe(true)
  expect(hasWords(waiting, ['answered'], () => ({ what: 'It was served.' }))).toBe(false)
})

test('what is shown of a request that is over is put together once', () => {
  const body = Buffer.from(JSON.stringify({ order: 'order-1' }))
  const one = new LoggedRequest(1, { method: 'POST', path: '/a', headers: {}, body }, target, 0, {})
  one.ended({ realMs: 1, clockMs: 1 }, true)
  let times = 0
  const shown = () => {
    times += 1
    return { path: '/a', what: 'It was served.', request: { body: body.toString() } }
  }
  for (const word of ['order-1', 'served.', '/a']) expect(hasWords(one, [word], shown)).toBe(true)
  expect(hasWords(one, ['order-2'], shown)).toBe(false)
  expect(times).toBe(1)
})
