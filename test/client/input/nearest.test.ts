import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nearest } from '../../../src/client/input/nearest.js'

const known = ['callbackUrl', 'returnUrl', 'paymentMethod', 'idPayout']

it.each([
  ['callbackUrl', 'callbackUrl'],
  ['CALLBACK_URL', 'callbackUrl'],
  ['calbackUrl', 'callbackUrl'],
  ['callbakcUrl', 'callbackUrl'],
  ['callbackUri', 'callbackUrl'],
  ['payment', 'paymentMethod'],
  ['url', undefined],
  ['id', undefined],
  ['', undefined],
  ['priority', undefined],
  ['callbackUrl'.repeat(1000), undefined],
])('%s: %s', (name, meant) => {
  expect(nearest(name, known)).toBe(meant)
})

it('takes the beginning of longer names for one of them where there is one, and for no name that only looks like it', () => {
  expect(nearest('account', ['amount', 'accountName', 'accountNumber'])).toBeUndefined()
  expect(nearest('account', ['amount', 'accountNumber'])).toBe('accountNumber')
  expect(nearest('amuont', ['amount', 'accountName'])).toBe('amount')
})

it('finds a name through any one typing error', () => {
  const error = fc.record({
    at: fc.nat(),
    kind: fc.constantFrom('drop', 'double', 'swap'),
    of: fc.constantFrom(...known),
  })
  fc.assert(
    fc.property(error, ({ at, kind, of }) => {
      const i = at % (of.length - 1)
      const [head, a = '', b = '', tail] = [of.slice(0, i), of[i], of[i + 1], of.slice(i + 2)]
      const wrong = { drop: head + b + tail, double: head + a + a + b + tail, swap: head + b + a + tail }[
        kind
      ]
      expect(nearest(wrong ?? '', known)).toBe(of)
    }),
  )
})
