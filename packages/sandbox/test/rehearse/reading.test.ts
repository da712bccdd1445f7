import { describe, expect, test } from 'vitest'
import { commandFor, endOf, hostOf, readAction, showsSecret } from '../../src/rehearse/action-text.js'
import { readStatus } from '../../src/rehearse/paid.js'

describe('a status', () => {
  const read = (status: number, text: string, paid: string, once?: string) =>
    readStatus(`HTTP ${status}`, status, text, { paid, once })

  test.each([
    [200, '{"status":"SUCCESS"}', 'status=SUCCESS', 'paid'],
    [200, '{"status":"PENDING"}', 'status=SUCCESS', 'not paid'],
    [200, '{"status":"success","data":{"paid":true}}', 'data.paid=true', 'paid'],
    [200, '{"status":"success","data":{"paid":false}}', 'data.paid=true', 'not paid'],
    [200, '{"order":{"refund":{"status":"SUCCESS"}}}', '"refund":{"status":"SUCCESS"', 'paid'],
    [200, '{ "order": { "refund": { "status": "SUCCESS" } } }', '"refund":{"status":"SUCCESS"', 'paid'],
    [200, '<b>Bezahlt</b>', 'Bezahlt', 'paid'],
    [200, '<b class=done>', 'class=done', 'paid'],
    [200, '{"status":"SUCCESS"}', 'Bezahlt', 'not paid'],
    [404, 'Bezahlt', 'Bezahlt', 'not paid'],
    [503, 'Bezahlt', 'Bezahlt', 'nothing'],
    [302, 'Bezahlt', 'Bezahlt', 'nothing'],
    [200, '', '200', 'paid'],
    [402, '', '200', 'not paid'],
    [500, '', '200', 'nothing'],
    [201, 'Bezahlt', '201 Bezahlt', 'paid'],
    [201, 'Offen', '201 Bezahlt', 'not paid'],
    [200, 'Bezahlt', '201 Bezahlt', 'not paid'],
  ] as const)('%i %s says by %s: %s', (status, text, paid, said) => {
    expect(read(status, text, paid).says).toBe(said)
  })

  test.each([
    ['{"state":"paid","shipped":2}', 'shipped=1', 2],
    ['{"state":"paid","shipments":["a","b","c"]}', 'shipments=1', 3],
    ['{"state":"paid", "shipped": 12}', '"shipped":1', 12],
    ['{"state":"paid"}', '"shipped":1', 0],
    ['<li>Delivered 2 times</li>', 'Delivered 1 times', 2],
    ['<li>Delivered soon</li>', 'Delivered 1 times', 0],
  ])('%s was delivered by %s: %i', (text, once, delivered) => {
    expect(read(200, text, 'paid', once).delivered).toBe(delivered)
  })

  test.each([
    ['{"status":"PENDING"}', 'status=SUCCESS', undefined, 'HTTP 200, status is PENDING'],
    ['{"status":"paid","shipped":1}', 'status=paid', 'shipped=1', 'HTTP 200, status is paid, delivered 1'],
    ['{"status":"Jana Example, 12 Main Street, 12345"}', 'status=paid', undefined, 'HTTP 200'],
    ['<p>paid</p>', 'Bezahlt', undefined, 'HTTP 200'],
  ])('%s is shown by what was read, and nothing of a customer', (text, paid, once, shown) => {
    expect(read(200, text, paid, once).read).toBe(shown)
  })
})

describe('an action', () => {
  test('is a request with an address, and else a command', () => {
    expect(readAction('POST http://localhost:3000/orders/{n}')).toEqual({
      kind: 'http',
      method: 'POST',
      url: 'http://localhost:3000/orders/{n}',
      body: undefined,
    })
    expect(readAction(' PUT http://localhost:3000/orders {"order": {n}} ')).toMatchObject({
      method: 'PUT',
      body: '{"order": {n}}',
    })
    expect(readAction('node pay.mjs {n}')).toEqual({ kind: 'command', command: 'node pay.mjs {n}' })
    expect(readAction('http://localhost:3000/orders/{n}')).toMatchObject({ kind: 'http', method: 'POST' })
    expect(readAction('POST localhost:3000').kind).toBe('command')
  })

  test('carries the number of the order wherever it stands', () => {
    expect(commandFor('node pay.mjs {n} --reference order-{n}', 7)).toBe('node pay.mjs 7 --reference order-7')
  })

  test('lets curl say that it was refused', () => {
    expect(commandFor('curl -X POST localhost:3000/{n}', 7)).toBe(
      'curl --fail --show-error -X POST localhost:3000/7',
    )
    expect(commandFor('curl -f localhost:3000', 7)).toBe('curl -f localhost:3000')
    expect(commandFor('curl --fail-with-body localhost:3000', 7)).toBe('curl --fail-with-body localhost:3000')
    expect(commandFor('curly {n}', 7)).toBe('curly 7')
    expect(commandFor("curl 'localhost:1/{n}?a&b' && curl -s localhost:1/pay; curl -f localhost:1", 7)).toBe(
      "curl --fail --show-error 'localhost:1/7?a&b' && curl --fail --show-error -s localhost:1/pay; curl -f localhost:1",
    )
  })

  test.each([
    [0, '', 'exit code 0'],
    [undefined, '', 'killed'],
    [22, 'curl: (22) The requested URL returned error: 503\n', 'answered 503'],
    [22, '', 'exit code 22'],
    [1, 'curl: (22) The requested URL returned error: 503\n', 'exit code 1'],
  ])('that ends with %s ends so', (code, printed, says) => {
    expect(endOf(code, printed)).toBe(says)
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
