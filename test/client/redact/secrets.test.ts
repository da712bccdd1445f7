import { describe, expect, it } from 'vitest'
import { secretsIn } from '../../../src/client/redact/secrets.js'

describe('what of a request no error may show', () => {
  it('account, name, e-mail, whatever they are called, at any level', () => {
    const request = {
      paymentMethod: {
        paymentMethodCode: 'VAPAY',
        account: { accountName: 'Jane Roe', accountNumber: '0012345678' },
        emailAddress: 'jane@shop.example',
      },
      extra: [{ phoneNumber: '+49 30', secret: 's3cret' }],
      callbackUrl: 'https://shop.example/callbacks',
    }
    expect(secretsIn(request)).toEqual([
      'Jane Roe',
      'Jane',
      'Roe',
      '0012345678',
      'jane@shop.example',
      '+49 30',
      's3cret',
      'https://shop.example/callbacks',
    ])
  })

  it('also in lists', () => {
    expect(secretsIn({ accountNumbers: ['A77', 'B78'], codes: ['VAPAY'] })).toEqual(['A77', 'B78'])
  })

  it('and ends where a request goes in a circle', () => {
    const circle: Record<string, unknown> = { name: 'Jane Roe' }
    circle.self = circle
    expect(new Set(secretsIn(circle))).toEqual(new Set(['Jane Roe', 'Jane', 'Roe']))
  })

  it.each([null, undefined, 'text', 5, []])('%j names nobody', (value) => {
    expect(secretsIn(value)).toEqual([])
  })
})
