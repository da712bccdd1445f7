import { expect, test } from 'vitest'
import { Mask } from '../../../sandbox/src/desk/control/mask.js'
import { hasWords } from '../../../sandbox/src/desk/control/requests/request-search.js'
import { LoggedRequest } from '../../../sandbox/src/gateway/engine/logged-request.js'

const mask = new Mask([])
const target = { path: '/payins/one', query: '', name: undefined, id: undefined, allowed: [] }

test('a body of brackets that a stranger has sent breaks no search', () => {
  const body = Buffer.from('['.repeat(200_000) + ']'.repeat(200_000))
  const deep = new LoggedRequest(1, { method: 'POST', path: '/deep', headers: {}, body }, target, 0, {})
  expect(hasWords(deep, () => '', ['/deep'], mask)).toBe(true)
})

test('a request that is still under way is searched as it is now', () => {
  const body = Buffer.alloc(0)
  const waiting = new LoggedRequest(1, { method: 'GET', path: '/a', headers: {}, body }, target, 0, {})
  expect(hasWords(waiting, () => 'Not answered yet.', ['answered'], mask)).toBe(true)
  expect(hasWords(waiting, () => 'It was served.', ['answered'], mask)).toBe(false)
})

test('what is shown of a request that is over is put together once', () => {
  const body = Buffer.from(JSON.stringify({ order: 'order-1' }))
  const one = new LoggedRequest(1, { method: 'POST', path: '/a', headers: {}, body }, target, 0, {})
  one.ended({ realMs: 1, clockMs: 1 }, true)
  let times = 0
  const what = () => {
    times += 1
    return 'It was served.'
  }
  for (const word of ['order-1', 'served.', '/a']) expect(hasWords(one, what, [word], mask)).toBe(true)
  expect(hasWords(one, what, ['order-2'], mask)).toBe(false)
  expect(times).toBe(1)
})
