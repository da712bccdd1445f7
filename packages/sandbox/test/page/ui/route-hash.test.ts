import { describe, expect, test } from 'vitest'
import { hashOf, type Place, parseHash } from '../../../src/page/ui/route/route-hash.js'

const places: readonly (readonly [string, Place])[] = [
  ['#/', { view: 'payments', payment: null }],
  ['#/payin/order-1', { view: 'payments', payment: { kind: 'payin', id: 'order-1' } }],
  ['#/payout/a%2Fb%3Fc%20%C3%A9', { view: 'payments', payment: { kind: 'payout', id: 'a/b?c é' } }],
  ['#/requests', { view: 'requests', request: null }],
  ['#/request/12', { view: 'requests', request: '12' }],
]

describe('the fragment of the page', () => {
  test.each(places)('%s names a place, and the place makes the same fragment', (hash, place) => {
    expect(parseHash(hash).place).toEqual(place)
    expect(hashOf({ place, query: new URLSearchParams() })).toBe(hash)
  })

  test('carries the search and the filters of its view', () => {
    const { place, query } = parseHash('#/request/7?result=refused&search=4%2C001.00+EUR')
    expect(place).toEqual({ view: 'requests', request: '7' })
    expect(query.get('search')).toBe('4,001.00 EUR')
    expect(hashOf({ place, query })).toBe('#/request/7?result=refused&search=4%2C001.00+EUR')
  })

  test.each([
    '',
    '#',
    '#/x',
    '#/payin',
    '#/payin/',
    '#/payin/%',
    '#/payin/a/b',
    '#/request/__proto__',
    '#/request/c3',
  ])('opens no payment and no request for %j', (hash) =>
    expect(parseHash(hash).place).toEqual({ view: 'payments', payment: null }),
  )
})
