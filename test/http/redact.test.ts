import { describe, expect, it } from 'vitest'
import { bodyStart, customerData, gatewayMessage, parseJson, redact, without } from '../../src/http/redact.js'
import { privatePem } from '../support/vectors.js'

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJNLTAwMDEifQ.c2ln_bmF0-dXJl'

describe('redact masks what must not be printed', () => {
  it.each([
    ['a JWT', `token ${jwt} is bad`, 'token [redacted] is bad'],
    ['a cut JWT', 'token eyJhbGciOi', 'token [redacted]'],
    ['a bearer header', 'Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
    ['a basic header', 'basic dXNlcg==', 'basic [redacted]'],
    ['a private key', `x ${privatePem.trim()} y`, 'x [redacted] y'],
    ['a private key without its end', privatePem.slice(0, 200), '[redacted]'],
    ['an e-mail address', 'to <jane.roe@shop.example>', 'to <[redacted]>'],
    ['an IBAN', 'from DE89370400440532013000.', 'from [redacted].'],
    ['an IBAN in groups', 'from DE89 3704 0044 0532 0130 00.', 'from [redacted].'],
    ['an account number', 'account 0012345678', 'account [redacted]'],
    ['an account number in groups', 'account 00-1234-5678', 'account [redacted]'],
    ['a card number', 'card 4111 1111 1111 1111', 'card [redacted]'],
  ])('%s', (_what, text, masked) => {
    expect(redact(text, [])).toBe(masked)
  })

  it.each(['status 502', 'amount 10.50 EUR', 'method VAPAY', 'in 30 s', 'nginx/1.25.3'])(
    'leaves "%s" alone',
    (text) => {
      expect(redact(text, [])).toBe(text)
    },
  )

  it('masks the very values that a call knows, patterns or not', () => {
    expect(redact('Jane (Roe) has $5', ['Jane (Roe)'])).toBe('[redacted] has $5')
    expect(without('sesame sesame', ['sesame'])).toBe('[redacted] [redacted]')
  })

  it('masks the longest first, where one value begins another', () => {
    expect(without('Jane Roe and Jane', ['Jane', 'Jane Roe'])).toBe('[redacted] and [redacted]')
    expect(without('Jane Roe and Jane', ['Jane Roe', 'Jane'])).toBe('[redacted] and [redacted]')
  })

  it.each([
    ['as it is', `Jane "O'Roe" & Co`],
    ['in other letters', `JANE "o'roe" & CO`],
    ['in a URL', "Jane%20%22O'Roe%22%20%26%20Co"],
    ['in a form', "Jane+%22O'Roe%22+%26+Co"],
    ['in JSON', `Jane \\"O'Roe\\" & Co`],
    ['in HTML', 'Jane &quot;O&#x27;Roe&quot; &amp; Co'],
    ['in HTML by numbers', 'Jane &#34;O&#39;Roe&#34; &#38; Co'],
  ])('masks a value %s', (_form, echoed) => {
    expect(without(`<${echoed}>`, [`Jane "O'Roe" & Co`])).toBe('<[redacted]>')
  })

  it('does not shred a text over values of one or two letters', () => {
    expect(without('a banana', ['a', ''])).toBe('a banana')
  })
})

describe('bodyStart', () => {
  it('is one line of at most 200 characters', () => {
    expect(bodyStart(`<html>\n\t<h1>Bad   Gateway</h1>${'x'.repeat(5_000)}`, [])).toHaveLength(200)
    expect(bodyStart(' <html>\n\t<h1>Bad   Gateway</h1> ', [])).toBe('<html> <h1>Bad Gateway</h1>')
  })

  it('leaves no half of a secret at its cut', () => {
    expect(bodyStart(`${'-'.repeat(195)}sesame-open`, ['sesame-open'])).not.toContain('sesa')
  })
})

describe('gatewayMessage takes what the gateway says under the usual names', () => {
  it.each([
    ['{"message":"no such operator"}', 'no such operator'],
    ['{"code":"E42","message":"no such operator"}', 'E42: no such operator'],
    ['{"error":"invalid"}', 'invalid'],
    ['{"error":{"code":"E42","detail":"invalid"}}', 'E42: invalid'],
    ['{"title":"Bad","detail":"of 0012345678"}', 'Bad: of [redacted]'],
    ['{"message":"Jane Roe is blocked"}', '[redacted] is blocked'],
    ['{"secretThing":"x"}', undefined],
    ['{"message":5}', undefined],
    ['["message"]', undefined],
    ['null', undefined],
    ['text', undefined],
    ['', undefined],
  ])('%s: %s', (body, message) => {
    expect(gatewayMessage(body, ['Jane Roe'])).toBe(message)
  })
})

describe('customerData finds what names a customer in a request', () => {
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
    expect(customerData(request)).toEqual(['Jane Roe', '0012345678', 'jane@shop.example', '+49 30', 's3cret'])
  })

  it('also in lists', () => {
    expect(customerData({ accountNumbers: ['A77', 'B78'], codes: ['VAPAY'] })).toEqual(['A77', 'B78'])
  })

  it('and ends where a request goes in a circle', () => {
    const circle: Record<string, unknown> = { name: 'Jane Roe' }
    circle.self = circle
    expect(new Set(customerData(circle))).toEqual(new Set(['Jane Roe']))
  })

  it.each([null, undefined, 'text', 5, []])('%j names nobody', (value) => {
    expect(customerData(value)).toEqual([])
  })
})

describe('parseJson', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['null', null],
    ['', undefined],
    ['<html>', undefined],
    ['{"a":', undefined],
  ])('%j', (body, value) => {
    expect(parseJson(body)).toEqual(value)
  })
})
