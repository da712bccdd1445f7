import { expect, test } from 'vitest'
import { readApplication, readCases, readPrice } from '../../src/cli/rehearse/options.js'

test('refuses a case that there is not, and a price that is none', () => {
  expect(() => readCases('nothing-like-it')).toThrow(
    '--cases names "nothing-like-it", which is no case; --list shows all',
  )
  expect(() => readPrice('19,90')).toThrow('--price must be an amount and a currency')
})

test.each([
  [{}, 'give --action'],
  [
    { action: 'curl -H "authorization: bearer 0123456789abc" localhost:1' },
    /^--action holds a key or a token itself(?!.*0123456789abc)/,
  ],
  [{ action: 'x', status: 'localhost:1', paid: 'x' }, '--status must hold an http or https address'],
  [{ action: 'x', status: 'http://localhost:1' }, '--status needs --paid'],
  [{ action: 'x', once: 'shipped=1' }, '--once is what the answer of --status contains'],
])('refuses %j as an application', (application, sentence) => {
  expect(() => readApplication(application)).toThrow(sentence)
})
