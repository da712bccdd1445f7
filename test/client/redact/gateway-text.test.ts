import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/client/input/json.js'
import { bodyStart, gatewayMessage, redact } from '../../../src/client/redact/gateway-text.js'
import { hiding } from '../../../src/client/redact/hide.js'
import { mask } from '../../../src/client/redact/mask.js'
import { privatePem } from '../../support/vectors.js'

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJNLTAwMDEifQ.c2ln_bmF0-dXJl'

describe('a text of the gateway is not shown that holds', () => {
  it.each([
    ['a JWT', `token ${jwt} is bad`],
    ['a cut JWT', 'token eyJhbGciOi'],
    ['a bearer header', 'Authorization: Bearer abc.def'],
    ['a bearer header of letters', 'Authorization: Bearer abcdefghijklmnopq'],
    ['a basic header', 'basic dXNlcg=='],
    ['a private key', `x ${privatePem.trim()} y`],
    ['a private key without its end', privatePem.slice(0, 200)],
    ['an e-mail address', 'to <jane.roe@shop.example>'],
    ['an e-mail address in a URL', 'of /customers?email=jane.roe%40shop.example'],
    ['an IBAN', 'from DE89370400440532013000.'],
    ['an IBAN in groups', 'from DE89 3704 0044 0532 0130 00.'],
    ['an account number', 'account 0012345678'],
    ['an account number in groups', 'account 00-1234-5678'],
    ['an account number in entities', 'account &#48;&#48;1234&#53;678'],
    ['a card number', 'card 4111 1111 1111 1111'],
  ])('%s', (_what, text) => {
    expect(redact(text, hiding([]))).toBe(mask)
  })

  it.each([
    'status 502',
    'amount 10.50 EUR',
    'amount 250000.00 is over 100000.00',
    'method VAPAY',
    'in 30 s',
    'nginx/1.25.3',
    'no payin 550e8400-e29b-41d4-a716-446655440000',
    'at 2026-11-24T09:13:08.123456Z, and 2026-11-24 09:13',
    'Bearer token missing',
    'a bearer token. Ask for one',
    '<h1>Basic authentication</h1>',
  ])('nothing of the kind: "%s"', (text) => {
    expect(redact(text, hiding([]))).toBe(text)
  })

  it('nothing but the id of its payment, which errors show', () => {
    const text = 'no payin 20261124001'
    expect(redact(text, hiding([]))).toBe(mask)
    expect(redact(text, hiding([]), '20261124001')).toBe(text)
    expect(redact(`${text}, account 0012345678`, hiding([]), '20261124001')).toBe(mask)
    // A customer's number stays one, whatever else bears it.
    expect(redact(text, hiding(['20261124001']), '20261124001')).toBe(mask)
    expect(redact('account 00120261124001', hiding([]), '20261124001')).toBe(mask)
  })

  it('what does not show in an account number', () => {
    expect(redact('account 0012\u200b3456\u202d78 is closed', hiding([]))).toBe(mask)
    expect(redact('pay\u202ement refused', hiding([]))).toBe(String.raw`pay\u202ement refused`)
  })

  it('the very values that a call knows, patterns or not', () => {
    expect(redact('Jane (Roe) has $5', hiding(['Jane (Roe)']))).toBe(mask)
  })
})

describe('bodyStart', () => {
  it('is one line of at most 200 characters', () => {
    expect(bodyStart(`<html>\n\t<h1>Bad   Gateway</h1>${'x'.repeat(5_000)}`, hiding([]))).toHaveLength(200)
    expect(bodyStart(' <html>\n\t<h1>Bad   Gateway</h1> ', hiding([]))).toBe('<html> <h1>Bad Gateway</h1>')
  })

  it('leaves no half of a secret at its cut', () => {
    expect(bodyStart(`${'-'.repeat(195)}sesame-open`, hiding(['sesame-open']))).toBe(mask)
    expect(bodyStart(`${' '.repeat(9000)}${'-'.repeat(195)}sesame-open`, hiding(['sesame-open']))).toBe(mask)
  })

  it('is shown of a page that is long', () => {
    const page = `<h1>Bad Gateway</h1>${'<p>try again</p>'.repeat(5_000)}`
    expect(bodyStart(page, hiding(['sesame-open']))).toMatch(/^<h1>Bad Gateway/)
  })
})

describe('gatewayMessage takes what the gateway says under the usual names', () => {
  it.each([
    ['{"message":"no such operator"}', 'no such operator'],
    ['{"code":"E42","message":"no such operator"}', 'E42: no such operator'],
    ['{"error":"invalid"}', 'invalid'],
    ['{"error":{"code":"E42","detail":"invalid"}}', 'E42: invalid'],
    ['{"title":"Bad","detail":"of 0012345678"}', `Bad: ${mask}`],
    ['{"errors":[{"code":"E42","detail":"invalid"}]}', 'E42: invalid'],
    ['{"errors":[{"code":"E42","detail":"invalid"},{"code":"E43"}]}', 'E42: invalid; E43'],
    ['{"errors":["too low","no operator"]}', 'too low; no operator'],
    ['{"errors":{"message":"invalid"}}', 'invalid'],
    ['{"error":{"code":"E42","details":[{"reason":"too low"}]}}', 'E42; too low'],
    ['{"error":"invalid","errors":[{"detail":"too low"}]}', 'invalid; too low'],
    ['{"message":"invalid","error":["too low"]}', 'invalid; too low'],
    ['[{"code":"E42","message":"invalid"}]', 'E42: invalid'],
    ['{"errors":[{"code":"E42","detail":"Jane Roe is blocked"}]}', `E42: ${mask}`],
    ['{"errors":["Jane Roe is blocked","too low","Jane Roe"]}', `${mask}; too low`],
    ['{"errors":["Jane","Roe"]}', mask],
    ['{"errors":[]}', undefined],
    ['{"errors":[null,5,[[[[[["deep"]]]]]]]}', undefined],
    ['{"message":"Jane Roe is blocked"}', mask],
    ['{"secretThing":"x"}', undefined],
    ['{"message":5}', undefined],
    ['["message"]', undefined],
    ['null', undefined],
    ['text', undefined],
    ['', undefined],
  ])('%s: %s', (body, message) => {
    expect(gatewayMessage(parseJson(body), hiding(['Jane Roe']))).toBe(message)
  })
})
