import { expect, test } from 'vitest'
import type { Rehearsed } from '../../../sandbox/src/desk/control/messages/rehearse.js'
import { chosenOf, linkedIn, linkTo } from '../../../sandbox/src/desk/page/rehearse/rehearse-link.js'

const act = 'POST http://localhost:3000/orders {"cart": "{n}", "note": "a&b=c#d"}'
const order = {
  act,
  before: 'POST http://localhost:3000/{n}',
  status: 'http://localhost:3000/{n}',
  paid: 'ok',
}
const queryOf = (hash: string) => new URLSearchParams(hash.slice(hash.indexOf('?')))

function rehearsed(key: number, name: string): Rehearsed {
  const history = { outcome: 'passed', sentence: 'one payment', payments: [], history: [] } as const
  return { key, name, title: name, route: 'GET /payins/{idPayin}', ...history }
}

test('a link names the case, the endpoint, and the application where it is requests', () => {
  const link = linkTo(rehearsed(7, 'answer-lost'), order)
  expect(link).toMatch(/^#\/rehearse\?/)
  expect(linkedIn(queryOf(link))).toEqual({
    key: 7,
    name: 'answer-lost',
    route: 'GET /payins/{idPayin}',
    order,
  })
})

test('a link holds no application that is a command, and none that holds a token itself', () => {
  expect(linkedIn(queryOf(linkTo(rehearsed(7, 'killed'), null)))).toMatchObject({ order: null })
  const secret = { ...order, status: 'http://localhost:3000/{n}?t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJNIn0.c2ln' }
  const link = linkTo(rehearsed(7, 'answer-lost'), secret)
  expect(link).not.toContain('eyJ')
  expect(linkedIn(queryOf(link))).toMatchObject({ name: 'answer-lost', order: null })
})

test('an address that names no rehearsal shows the newest', () => {
  const results = [rehearsed(2, 'killed'), rehearsed(1, 'answer-lost')]
  expect(linkedIn(queryOf('#/rehearse?of=callback'))).toBeNull()
  expect(chosenOf(results, queryOf('#/rehearse?of=callback'))?.key).toBe(2)
  expect(chosenOf([], queryOf('#/rehearse'))).toBeNull()
})

test('a link shows its own rehearsal, and never that of another sandbox under the same number', () => {
  const results = [rehearsed(2, 'killed'), rehearsed(1, 'answer-lost')]
  const shown = (hash: string) => chosenOf(results, queryOf(hash))?.name
  expect(shown(linkTo(rehearsed(1, 'answer-lost'), null))).toBe('answer-lost')
  expect(shown(linkTo(rehearsed(1, 'killed'), null))).toBeUndefined()
  expect(shown(linkTo(rehearsed(9, 'killed'), null))).toBeUndefined()
})
