import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/client/http/parse-json.js'
import { bodyStart, gatewayMessage, redact } from '../../../src/client/redact/gateway-text.js'
import { hiding } from '../../../src/client/redact/hide.js'
import { privatePem } from '../../support/vectors.js'

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
    expect(redact(text, hiding([]))).toBe(masked)
  })

  it.each(['status 502', 'amount 10.50 EUR', 'method VAPAY', 'in 30 s', 'nginx/1.25.3'])(
    'leaves "%s" alone',
    (text) => {
      expect(redact(text, hiding([]))).toBe(text)
    },
  )

  it('shows nothing of a text where what does not show stands in an account number', () => {
    expect(redact('account 0012\u200b3456\u202d78 is closed', hiding([]))).toBe('[redacted]')
    expect(redact('pay\u202ement refused', hiding([]))).toBe(String.raw`pay\u202ement refused`)
  })

  it('masks the very values that a call knows, patterns or not', () => {
    expect(redact('Jane (Roe) has $5', hiding(['Jane (Roe)']))).toBe('[redacted] has $5')
  })
})

describe('bodyStart', () => {
  it('is one line of at most 200 characters', () => {
    expect(bodyStart(`<html>\n\t<h1>Bad   Gateway</h1>${'x'.repeat(5_000)}`, hiding([]))).toHaveLength(200)
    expect(bodyStart(' <html>\n\t<h1>Bad   Gateway</h1> ', hiding([]))).toBe('<html> <h1>Bad Gateway</h1>')
  })

  it('leaves no half of a secret at its cut', () => {
    expect(bodyStart(`${'-'.repeat(195)}sesame-open`, hiding(['sesame-open']))).not.toContain('sesa')
  })
})

describe('gatewayMessage takes what the gateway says under the usual names', () => {
  it.each([
    ['{"message":"no such operator"}', 'no such operator'],
    ['{"code":"E42","message":"no such operator"}', 'E42: no such operator'],
    ['{"error":"invalid"}', 'invalid'],
    ['{"error":{"code":"E42","detail":"invalid"}}', 'E42: invalid'],
    ['{"title":"Bad","detail":"of 0012345678"}', 'Bad: of [redacted]'],
    ['{"errors":[{"code":"E42","detail":"invalid"}]}', 'E42: invalid'],
    ['{"errors":[{"code":"E42","detail":"invalid"},{"code":"E43"}]}', 'E42: invalid; E43'],
    ['{"errors":["too low","no operator"]}', 'too low; no operator'],
    ['{"errors":{"message":"invalid"}}', 'invalid'],
    ['{"error":{"code":"E42","details":[{"reason":"too low"}]}}', 'E42; too low'],
    ['{"error":"invalid","errors":[{"detail":"too low"}]}', 'invalid; too low'],
    ['{"message":"invalid","error":["too low"]}', 'invalid; too low'],
    ['[{"code":"E42","message":"invalid"}]', 'E42: invalid'],
    ['{"errors":[{"detail":"Jane Roe is blocked"}]}', '[redacted] is blocked'],
    ['{"errors":[]}', undefined],
    ['{"errors":[null,5,[[[[[["deep"]]]]]]]}', undefined],
    ['{"message":"Jane Roe is blocked"}', '[redacted] is blocked'],
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
