import { expect, test } from 'vitest'
import { readApplication, readWanted } from '../../src/cli/rehearse/options.js'

test.each([
  [{ cases: 'nothing-like-it' }, '--cases names "nothing-like-it", which is no case; --list shows all'],
  [{ price: '19,90' }, '--price must be an amount and a currency'],
  [{ interleaving: 99 }, '--interleaving is the number that a verdict shows'],
])('refuses %j', (wanted, sentence) => {
  expect(() => readWanted(wanted)).toThrow(sentence)
})

test.each([
  [{}, 'give --act'],
  [
    { act: 'curl -H "authorization: bearer 0123456789abc" localhost:1' },
    /^--act holds a key or a token itself(?!.*0123456789abc)/,
  ],
  [{ act: 'x', status: 'localhost:1', paid: 'x' }, '--status must hold an http or https address'],
  [{ act: 'x', status: 'http://localhost:1' }, '--status needs --paid'],
  [{ act: 'x', once: 'shipped=1' }, '--once is what the answer of --status contains'],
])('refuses %j as an application', (application, sentence) => {
  expect(() => readApplication(application)).toThrow(sentence)
})
