import { describe, expect, test } from 'vitest'
import { commandFor, hostOf, readAct, showsSecret } from '../../../sandbox/src/rehearse/act-text.js'
import { readStatus } from '../../../sandbox/src/rehearse/paid.js'

describe('a status', () => {
  test.each([
    [200, '{"status":"SUCCESS"}', 'paid'],
    [200, '{"status":"PENDING"}', 'not paid'],
    [200, '{"order":{"payment_status":"paid"}}', 'paid'],
    [200, '{"status":"PAID","refund":{"status":"REQUESTED"}}', 'paid'],
    [200, '{"status":"PENDING","refund":{"status":"SUCCESS"}}', 'not paid'],
    [200, '{"paid":true}', 'paid'],
    [200, '{"isPaid":false}', 'not paid'],
    [200, '"paid"', 'paid'],
    [200, '[{"state":"completed"}]', 'paid'],
    [200, '{"number":7}', 'nothing'],
    [200, 'null', 'nothing'],
    [200, '<p>Your order is paid.</p>', 'paid'],
    [200, '<p>Your order is not paid yet.</p>', 'not paid'],
    [200, '<p>Unpaid.</p>', 'not paid'],
    [200, '<p>To be paid by noon.</p>', 'not paid'],
    [404, 'paid', 'not paid'],
    [503, '{"status":"SUCCESS"}', 'nothing'],
  ] as const)('%i %s says %s', (status, text, said) => {
    expect(readStatus(status, text)).toBe(said)
  })

  test('says paid by the word that was given, and by no other', () => {
    expect(readStatus(200, '<b>Bezahlt</b>', 'Bezahlt')).toBe('paid')
    expect(readStatus(200, '{"status":"SUCCESS"}', 'Bezahlt')).toBe('not paid')
  })
})

describe('an act', () => {
  test('is a request with a method and an address, and else a command', () => {
    expect(readAct('POST http://localhost:3000/orders/{n}')).toEqual({
      kind: 'http',
      method: 'POST',
      url: 'http://localhost:3000/orders/{n}',
      body: undefined,
    })
    expect(readAct(' PUT http://localhost:3000/orders {"cart": {n}} ')).toMatchObject({
      method: 'PUT',
      body: '{"cart": {n}}',
    })
    expect(readAct('node pay.mjs {n}')).toEqual({ kind: 'command', command: 'node pay.mjs {n}' })
    expect(readAct('POST localhost:3000').kind).toBe('command')
  })

  test('carries the number of the cart wherever it stands', () => {
    expect(commandFor('node pay.mjs {n} --reference cart-{n}', 7)).toBe('node pay.mjs 7 --reference cart-7')
  })

  test('lets curl say that it was refused', () => {
    expect(commandFor('curl -X POST localhost:3000/{n}', 7)).toBe('curl --fail -X POST localhost:3000/7')
    expect(commandFor('curl -f localhost:3000', 7)).toBe('curl -f localhost:3000')
    expect(commandFor('curl --fail-with-body localhost:3000', 7)).toBe('curl --fail-with-body localhost:3000')
    expect(commandFor('curly {n}', 7)).toBe('curly 7')
  })

  test.each([
    ['curl -X POST localhost:3000/orders/{n}', 'localhost', 3000],
    ["curl 'http://127.0.0.1:8080/'", '127.0.0.1', 8080],
    ['POST http://[::1]:4000/x', '::1', 4000],
    ['http://localhost/x', 'localhost', 80],
  ])('%s leads to a port of this machine', (text, host, port) => {
    expect(hostOf(text)).toEqual({ host, port })
  })

  test.each(['node pay.mjs {n}', 'curl https://shop.example/{n}', 'ping localhost'])(
    '%s leads to none',
    (text) => {
      expect(hostOf(text)).toBeUndefined()
    },
  )

  test('is known when it holds a secret itself, and not when it names a variable', () => {
    expect(showsSecret('curl -H "Authorization: Bearer abcdefghijkl" localhost:1')).toBe(true)
    expect(showsSecret('curl -H "x: eyJhbGciOiJ9.e30.x" localhost:1')).toBe(true)
    expect(showsSecret('curl -H "Authorization: Bearer $TOKEN_OF_MINE" localhost:1')).toBe(false)
  })
})
