import { describe, expect, it } from 'vitest'
import { Mask } from '../../../src/page/api/mask.js'

const mask = new Mask(['merchant-secret-1'])
const shown = (value: unknown) => mask.body(Buffer.from(JSON.stringify(value)))
const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJNIn0.c2lnbmF0dXJl'

describe('a body on the page', () => {
  it.each<[string, unknown, string]>([
    ['a secret of any kind', { password: { plain: 'hunter2hunter2' } }, '"password": "[redacted]"'],
    ['a secret that is a number', { clientSecret: 123456789012 }, '"clientSecret": "[redacted]"'],
    ['secrets in a list', { tokens: ['hunter2'] }, '"tokens": "[redacted]"'],
    ['a token, whatever is before it', { note: `x${token}` }, 'x[redacted]'],
    ['the merchant secret', { note: 'it is merchant-secret-1' }, 'it is [redacted]'],
  ])('hides %s', (_what, value, expected) => {
    const text = shown(value)
    expect(text).toContain(expected)
    for (const hidden of ['123456789012', 'hunter2', 'c2ln', 'merchant-secret-1']) {
      expect(text).not.toContain(hidden)
    }
  })

  it('shows customers: the sandbox is the developer’s own', () => {
    const body = { accountNumber: 123456789012, accountName: 'Jana Example', emails: ['jana@shop.example'] }
    expect(shown(body)).toBe(JSON.stringify(body, null, 2))
  })

  it('shows amounts and words with dots as they are', () => {
    expect(shown({ amount: 10.5, note: 'version 1.2.3 of keyJar.x' })).toBe(
      JSON.stringify({ amount: 10.5, note: 'version 1.2.3 of keyJar.x' }, null, 2),
    )
  })

  it('shows what turns the direction of a text around, in place of turning it', () => {
    expect(shown({ note: 'pay \u202e001 EUR' })).toContain('"pay \\u202e001 EUR"')
  })
})

describe('a callback URL on the page', () => {
  const mac = `${'Zq3-'.repeat(10)}abc`
  const url = `https://shop.example/hooks/2.k3yIdent.payin.b3JkZXItMQ.${mac}`

  it.each<[string, string]>([
    ['by itself', mask.url(url)],
    ['of a receiver that was bound to nothing', mask.url(url.replace('/2.', '/1.'))],
    ['in a path', mask.text(`/hooks/2.k3yIdent.payout.b3JkZXItMQ.${mac}?again=1`)],
    ['with its dots encoded', mask.text(`/x?next=2%2Ek3yIdent%2Epayin%2Eb3JkZXItMQ%2e${mac}`)],
    ['in a body', String(shown({ callbackUrl: url }))],
    ['in a sentence', mask.text(`Nobody listens at ${url}.`)],
    ['in a header', mask.named('referer', url)],
    ['that was cut', mask.text(url.slice(0, -5))],
  ])('never has its whole signature %s', (_where, text) => {
    expect(text).not.toContain('Zq3-Zq3-')
    expect(text).toMatch(/pay(?:in|out).*b3JkZXItMQ(?:\.|%2e)\[redacted\]/i)
  })

  it('of the merchant’s own making has no long secret in its path, no password and no key', () => {
    const own =
      'https://me:hunter2@shop.example/hooks/9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c/cb?key=canary&sig=canary&id=7'
    const id = '/orders/123e4567-e89b-12d3-a456-426614174000'
    expect(mask.url(own)).toBe(
      'https://[redacted]@shop.example/hooks/[redacted]/cb?key=[redacted]&sig=[redacted]&id=7',
    )
    expect(mask.url(`https://shop.example${id}`)).toBe(`https://shop.example${id}`)
  })
})

describe('a query on the page', () => {
  it.each([
    ['/x?a=1;password=hunter2', '/x?a=1;password=[redacted]'],
    ['/x#access_token=hunter2', '/x#access_token=[redacted]'],
    ['/x?p%61ssword=hunter2&limit=7', '/x?p%61ssword=[redacted]&limit=7'],
  ])('is masked by the names in it: %s', (path, expected) => expect(mask.text(path)).toBe(expected))

  it.each([
    '/balances?currencies=EUR,USD',
    '/payins/order-1?idPayin=order-1&status=SUCCESS&currencyCode=EUR&paymentMethodCode=VAPAY',
    '/x?page=2&from=2026-01-01T00:00:00Z&idempotency-key=order-1&next=%2Fy%3Fpage%3D3',
    '/payins/a?b',
    '/x?who=jane%40shop.example&iban=DE02120300000000202051&account=123',
  ])('keeps what says what was asked: %s', (path) => expect(mask.text(path)).toBe(path))
})
