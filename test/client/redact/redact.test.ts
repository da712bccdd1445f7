import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { cleanCause } from '../../../src/client/http/transport/connect-errors.js'
import { bodyStart, gatewayMessage, hiding, mask, secretsIn } from '../../../src/client/redact.js'
import { privatePem } from '../../support/vectors.js'

const hide = (text: string, ...secrets: string[]) => hiding(secrets)(text)

// In which forms a gateway may spell it: test/properties/masking.test.ts.
describe('a text is not shown that holds a secret', () => {
  it('of a token with signs that a form would change', () => {
    const token = 'opaque/canary+token='
    for (const echoed of [token, encodeURIComponent(token), JSON.stringify({ token })]) {
      expect(hide(`bad: ${echoed}`, token)).toBe(mask)
    }
  })

  it('that is short only where it stands by itself', () => {
    expect(hide('Ann is blocked', 'Ann')).toBe(mask)
    expect(hide('account A7 is closed', 'A7')).toBe(mask)
    expect(hide('客户王明已被封', '王明')).toBe(mask)
    expect(hide('this cannot be planned, Hanna', 'Ann')).toBe('this cannot be planned, Hanna')
    expect(hide('payment A70', 'A7')).toBe('payment A70')
  })

  it('nor one that is too long to be looked through', () => {
    expect(hide('-'.repeat(4097), 'sesame')).toBe(mask)
  })

  it('nor a signed callback URL, whoever has signed it', () => {
    expect(hide(`to https://shop.example/hooks/2.k3yk3yk3.payin.b3JkZXItMQ.${'m4C_'.repeat(10)}abc`)).toBe(
      mask,
    )
  })
})

it('what does not show in a terminal is made visible', () => {
  const shown = hide('no\u202e sesame\u001b[2J\nerror: all paid', 'barley')
  expect(shown).toBe(String.raw`no\u202e sesame\u001b[2J\u000aerror: all paid`)
})

describe('a reason is not shown that seems to hold', () => {
  const reason = (message: string, id?: string) => gatewayMessage({ message }, hiding([]), id)
  it.each([
    ['a JWT', 'token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJNLTAwMDEifQ.c2ln is bad'],
    ['a cut JWT', 'token eyJhbGciOi'],
    ['a bearer header', 'Authorization: Bearer abc.def'],
    ['a bearer header of letters', 'Authorization: Bearer abcdefghijklmnopq'],
    ['a basic header', 'basic dXNlcg=='],
    ['a private key', `x ${privatePem.trim()} y`],
    ['an e-mail address', 'to <jane.roe@shop.example>'],
    ['an e-mail address in a URL', 'of /customers?email=jane.roe%40shop.example'],
    ['an IBAN', 'from DE89370400440532013000.'],
    ['an IBAN in groups', 'from DE89 3704 0044 0532 0130 00.'],
    ['an account number', 'account 0012345678'],
    ['an account number in groups', 'account 00-1234-5678'],
    ['an account number beside a date', 'on 2026-11-24 to 0012345678'],
    ['a card number', 'card 4111 1111 1111 1111'],
  ])('%s', (_what, text) => {
    expect(reason(text)).toBe(mask)
  })

  it.each([
    'amount 10.50 EUR',
    'amount 250000.00 is over 100000.00',
    'nginx/1.25.3',
    'no payin 550e8400-e29b-41d4-a716-446655440000',
    'at 2026-11-24T09:13:08.123456Z, and 2026-11-24 09:13',
    'at 20261124T091308Z, and 20261124T091308.123+0100',
    'operator closed since 2026-11-24T09:13:08+01:00',
    'closed since 27 Nov 2026 20:26:16 GMT',
    'closed since Fri Nov 27 20:26:16 UTC 2026',
    'closed from 27/11/2026 20:26 to 28.11.2026 08:00:00,123',
    'Bearer token missing',
    'a bearer token. Ask for one',
  ])('but one that holds nothing of the kind is: %s', (text) => {
    expect(reason(text)).toBe(`message: ${text}`)
  })

  it('but the id of its payment, which errors show', () => {
    expect(reason('no payin 20261124001')).toBe(mask)
    expect(reason('no payin 20261124001', '20261124001')).toBe('message: no payin 20261124001')
    expect(reason('no payin 20261124001, account 0012345678', '20261124001')).toBe(mask)
    expect(reason('account 00120261124001', '20261124001')).toBe(mask)
  })
})

describe('of a JSON body, each text is shown by itself, with its path', () => {
  it.each([
    [{ code: 'E42', message: 'no such operator' }, 'code: E42; message: no such operator'],
    [{ error: { code: 'E42', detail: 'invalid' } }, 'error.code: E42; error.detail: invalid'],
    [{ errors: [{ code: 'E42', detail: 'Jane Roe is blocked' }] }, `errors[0].code: E42; ${mask}`],
    [{ errors: ['Jane Roe is blocked', 'too low', 'Jane Roe'] }, `${mask}; errors[1]: too low`],
    [{ 'Jane Roe': 'blocked' }, 'blocked'],
    [{ a: 'twice', b: 'twice' }, 'a: twice'],
    ['operator closed', 'operator closed'],
    [{ code: 5, errors: [null, ''] }, undefined],
    [null, undefined],
  ])('%j: %s', (body, message) => {
    expect(gatewayMessage(body, hiding(['Jane Roe']))).toBe(message)
  })

  it('and no more of it than a person reads', () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`field${n}`, `${n} ${'x'.repeat(500)}`]),
    )
    expect(gatewayMessage(many, hiding([]))?.length).toBeLessThan(3000)
  })
})

describe('of a body that is no JSON', () => {
  it('the start is shown on one line, and what it says without its tags', () => {
    expect(bodyStart(' <html>\n\t<h1>Bad   Gateway</h1> ', hiding([]))).toEqual({
      start: '<html> <h1>Bad Gateway</h1>',
      said: 'Bad Gateway',
    })
  })

  it('no half of a secret is left at the cut', () => {
    for (const before of ['-'.repeat(195), `${' '.repeat(9000)}${'-'.repeat(195)}`]) {
      const { start, said } = bodyStart(`${before}sesame-open`, hiding(['sesame-open']))
      expect([start, said]).toEqual([mask, mask])
    }
  })
})

describe('what of a request no error may show', () => {
  it('is every text but codes and ids, and the words of names and the parts of URLs', () => {
    const request = {
      idPayin: 'order-1',
      paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
      paymentMethod: {
        paymentMethodCode: 'VAPAY',
        account: { accountName: 'Jane Roe', accountNumber: '0012345678' },
        emailAddress: 'jane@shop.example',
      },
      taxNumbers: ['T-77'],
      callbackUrl: 'https://shop.example/callbacks/0123456789abcdef',
    }
    expect(secretsIn(request)).toEqual([
      'Jane Roe',
      'Jane',
      'Roe',
      '0012345678',
      'jane@shop.example',
      'T-77',
      'https://shop.example/callbacks/0123456789abcdef',
      '/callbacks/0123456789abcdef',
      '0123456789abcdef',
    ])
  })
})

describe('the cause of a broken connection', () => {
  it('keeps name, message, codes and causes', () => {
    const root = Object.assign(new Error('read ECONNRESET'), {
      code: 'ECONNRESET',
      errno: -104,
      syscall: 'read',
    })
    expect(cleanCause(new TypeError('fetch failed', { cause: root }), hiding([]))).toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
      cause: { message: 'read ECONNRESET', code: 'ECONNRESET', errno: -104, syscall: 'read' },
    })
  })

  it('loses what else hangs on it, and a message that holds a secret', () => {
    const error = Object.assign(new Error('bad s3cret'), {
      request: { authorization: 'Bearer abc' },
      data: 's3cret',
    })
    const printed = inspect(cleanCause(error, hiding(['s3cret'])), { showHidden: true, depth: 9 })
    expect(printed).toContain(mask)
    expect(printed).not.toMatch(/s3cret|Bearer/)
  })

  it('ends where causes go in a circle', () => {
    const error = new Error('round')
    error.cause = error
    expect(cleanCause(error, hiding([]))).toMatchObject({ message: 'round', cause: { message: 'round' } })
  })
})
