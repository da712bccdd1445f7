import { InvalidInputError, operation } from 'merchant-gateway'
import { describe, expect, it } from 'vitest'
import { caught } from '../../support/caught.js'

describe('operation() builds one entry of a token’s operations', () => {
  it.each([
    ['an id goes in escaped', operation('GET', '/payins/{idPayin}', { idPayin: 'a.b' }), 'GET /payins/a\\.b'],
    [
      'an id is escaped as it stands in the path',
      operation('GET', '/payins/{idPayin}', { idPayin: 'a b(c)' }),
      'GET /payins/a%20b\\(c\\)',
    ],
    ['a path without ids', operation('GET', '/balances'), 'GET /balances'],
    ['a pattern is taken as written', operation('POST', '/payouts/.*'), 'POST /payouts/.*'],
    [
      'counts of a pattern are not ids',
      operation('GET', '/reports/\\d{4}-\\d{1,2}'),
      'GET /reports/\\d{4}-\\d{1,2}',
    ],
    ['several ids', operation('GET', '/a/{first}/b/{second}', { first: '1', second: '2' }), 'GET /a/1/b/2'],
    [
      'the gateway’s own names',
      operation('POST', '/payins/!availablePaymentOptions'),
      'POST /payins/!availablePaymentOptions',
    ],
  ])('%s', (_case, entry, expected) => {
    expect(entry).toBe(expected)
  })

  it.each([
    ['a method in small letters', () => operation('get', '/balances'), 'method'],
    ['a method that is none', () => operation('GET /x', '/balances'), 'method'],
    ['a path without its slash', () => operation('GET', 'balances'), 'path'],
    ['an id that goes up', () => operation('GET', '/payins/{idPayin}', { idPayin: '..' }), 'idPayin'],
    ['an id of another endpoint', () => operation('POST', '/payins/{idPayin}', { idPayin: '!x' }), 'idPayin'],
    ['an id with a slash', () => operation('GET', '/payins/{idPayin}', { idPayin: 'a/b' }), 'idPayin'],
    ['an empty id', () => operation('GET', '/payins/{idPayin}', { idPayin: '' }), 'idPayin'],
  ])('refuses %s', async (_case, act, field) => {
    const error = await caught(act)
    expect(error).toBeInstanceOf(InvalidInputError)
    expect(error).toMatchObject({ field })
  })

  it('refuses a template whose id was not given, also one that every object inherits', async () => {
    const template: string = '/payins/{idPayin}'
    expect(await caught(() => operation('GET', template))).toMatchObject({ field: 'idPayin' })
    const inherited: string = '/payins/{constructor}'
    expect(await caught(() => operation('GET', inherited, {}))).toMatchObject({ field: 'constructor' })
  })
})
