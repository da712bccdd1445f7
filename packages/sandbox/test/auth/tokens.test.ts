import { describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/index.js'
import {
  BODY_HEADERS,
  bearer,
  codeOf,
  JSON_HEADERS,
  masterToken,
  mint,
  ORIGIN,
  publicPem,
  refusal,
  SIGNED_AT,
  signatureOf,
  stillSandbox,
  tokenRequest,
  vectors,
} from '../support.js'

const pathOf = (body: object) => ORIGIN + ('action' in body ? '/auth-tokens-by-action' : '/auth-tokens')

/** A token request of these bytes, with their signature, another one or none. */
function askSigned(sandbox: Sandbox, body: string, signature: string | null = signatureOf(body)) {
  const headers = { ...BODY_HEADERS, ...(signature !== null && { 'x-signature': signature }) }
  return sandbox.fetch(`${ORIGIN}/auth-tokens`, { method: 'POST', headers, body })
}

describe('signatures', () => {
  test.each(vectors)(
    'the sandbox accepts what OpenSSL signed: $name',
    async ({ name, body, minified, signature }) => {
      const sandbox = stillSandbox({
        merchantCode: body.merchantCode,
        publicKeys: [publicPem],
        timestampUnit: name === 'milliseconds' ? 'milliseconds' : 'seconds',
      })
      const headers = { ...BODY_HEADERS, 'x-signature': signature }
      const response = await sandbox.fetch(pathOf(body), { method: 'POST', headers, body: minified })
      expect(response.status).toBe(200)
      const claims = claimsOf(await response.json())
      const issued = SIGNED_AT / 1000
      expect(claims).toMatchObject({
        iat: issued,
        exp: issued + Number(body.validitySecs),
        sub: body.merchantCode,
      })
    },
  )

  test.each(vectors)(
    'one byte more or less makes the signature wrong: $name',
    async ({ body, minified, signature }) => {
      const sandbox = stillSandbox({ merchantCode: body.merchantCode, publicKeys: [publicPem] })
      const headers = { ...BODY_HEADERS, 'x-signature': signature }
      const changed = minified.replace('"validitySecs":', '"validitySecs":1')
      expect(await refusal(sandbox.fetch(pathOf(body), { method: 'POST', headers, body: changed }))).toEqual([
        401,
        'SIGNATURE_INVALID',
      ])
    },
  )

  test('a body with insignificant whitespace is refused even when exactly its bytes are signed', async () => {
    const sandbox = stillSandbox()
    for (const body of [
      '{"merchantCode": "M-0001"}',
      '{"merchantCode":"M-0001"}\n',
      '{"merchantCode":\t"M-0001"}',
    ]) {
      expect(await refusal(askSigned(sandbox, body))).toEqual([401, 'BODY_NOT_MINIFIED'])
    }
  })

  test('minified means without whitespace, and not as JSON.stringify would have written it', async () => {
    const sandbox = stillSandbox()
    const body = `{"merchantCode":"M\\u002d0001","operations":["GET /a b \\" : c"],"money":{"amount":10.50,"currencyCode":"EUR"},"timestamp":${SIGNED_AT / 1000}}`
    const response = await askSigned(sandbox, body)
    expect(response.status).toBe(200)
  })

  test.each([
    ['none', undefined, 'SIGNATURE_MISSING'],
    ['empty', '', 'SIGNATURE_MALFORMED'],
    [
      'base64url',
      signatureOf('x').replaceAll('+', '-').replaceAll('/', '_').replace(/^.../, '-_-'),
      'SIGNATURE_MALFORMED',
    ],
    ['of other bytes', signatureOf('{}'), 'SIGNATURE_INVALID'],
    ['too short', 'AAAA', 'SIGNATURE_INVALID'],
  ])('a signature that is %s is refused', async (_name, signature, code) => {
    const sandbox = stillSandbox()
    const { body } = tokenRequest(sandbox, { operations: ['GET /balances'] })
    expect(await refusal(askSigned(sandbox, body, signature ?? null))).toEqual([401, code])
  })

  test.each([
    [300, 200],
    [-300, 200],
    [301, 401],
    [-301, 401],
  ])('a timestamp that is %d s off the clock is answered %d', async (offset, status) => {
    const sandbox = stillSandbox()
    const body = JSON.stringify({
      merchantCode: 'M-0001',
      operations: ['GET /balances'],
      timestamp: SIGNED_AT / 1000 + offset,
    })
    const response = await askSigned(sandbox, body)
    expect(response.status).toBe(status)
    expect(response.headers.get('date')).toBe(new Date(SIGNED_AT).toUTCString())
  })

  test.each([undefined, '1700000000', 1700000000.5])(
    'a signed body with the timestamp %s is refused',
    async (timestamp) => {
      const sandbox = stillSandbox()
      const body = JSON.stringify({ merchantCode: 'M-0001', operations: ['GET /balances'], timestamp })
      expect(await refusal(askSigned(sandbox, body))).toEqual([401, 'TIMESTAMP_MISSING'])
    },
  )

  test('milliseconds are out of range where seconds are expected, and the other way round', async () => {
    for (const timestampUnit of ['seconds', 'milliseconds'] as const) {
      const sandbox = stillSandbox({ timestampUnit })
      const timestamp = timestampUnit === 'seconds' ? SIGNED_AT : SIGNED_AT / 1000
      const body = JSON.stringify({ merchantCode: 'M-0001', operations: ['GET /balances'], timestamp })
      expect(await refusal(askSigned(sandbox, body))).toEqual([401, 'TIMESTAMP_OUT_OF_RANGE'])
    }
  })

  test('a key of one sandbox is unknown to another', async () => {
    const [a, b] = [
      stillSandbox(),
      createSandbox({ merchantCode: 'M-0001', clock: 'virtual', startAt: SIGNED_AT }),
    ]
    b.clientOptions()
    expect(
      await refusal(b.fetch(`${ORIGIN}/auth-tokens`, tokenRequest(a, { operations: ['GET /balances'] }))),
    ).toEqual([401, 'SIGNATURE_INVALID'])
  })
})

describe('the deprecated secret', () => {
  const ask = (secret: unknown, extra = {}) => ({
    method: 'POST',
    headers: BODY_HEADERS,
    body: JSON.stringify(
      { merchantCode: 'M-0001', operations: ['GET /balances'], secret, ...extra },
      null,
      2,
    ),
  })

  test('is taken from the body, without signature, timestamp or minified form', async () => {
    const sandbox = stillSandbox({ merchantSecret: 'open sesame' })
    const response = await sandbox.fetch(`${ORIGIN}/auth-tokens`, ask('open sesame'))
    expect(response.status).toBe(200)
  })

  test.each(['Open sesame', '', 7, null])('is refused when it is %s', async (secret) => {
    const sandbox = stillSandbox({ merchantSecret: 'open sesame' })
    expect(await refusal(sandbox.fetch(`${ORIGIN}/auth-tokens`, ask(secret)))).toEqual([
      401,
      'SECRET_INVALID',
    ])
  })

  test.each(['1700000000', 1.5, null])('beside a timestamp that is %s is refused', async (timestamp) => {
    const sandbox = stillSandbox({ merchantSecret: 'open sesame' })
    expect(await refusal(sandbox.fetch(`${ORIGIN}/auth-tokens`, ask('open sesame', { timestamp })))).toEqual([
      400,
      'INVALID_TIMESTAMP',
    ])
  })

  test('is refused by a sandbox that was given none', async () => {
    const response = await stillSandbox().fetch(`${ORIGIN}/auth-tokens`, ask('undefined'))
    expect(response.status).toBe(401)
  })

  test.each([
    ['good', 'good', 200, undefined],
    ['wrong', 'good', 401, 'SECRET_INVALID'],
    [null, 'good', 401, 'SECRET_INVALID'],
    ['good', 'wrong', 401, 'SIGNATURE_INVALID'],
    ['wrong', 'wrong', 401, 'SIGNATURE_INVALID'],
  ])('that is %s beside a signature that is %s is answered %d', async (secret, signature, status, code) => {
    const sandbox = stillSandbox({ merchantSecret: 'good' })
    const request = tokenRequest(sandbox, { operations: ['GET /balances'], secret })
    const signed = signature === 'good' ? request.body : 'something else'
    const headers = { ...BODY_HEADERS, 'x-signature': signatureOf(signed) }
    expect(await refusal(sandbox.fetch(`${ORIGIN}/auth-tokens`, { ...request, headers }))).toEqual([
      status,
      code,
    ])
  })

  test('does not help another merchant', async () => {
    const sandbox = stillSandbox({ merchantSecret: 'open sesame' })
    expect(
      await refusal(sandbox.fetch(`${ORIGIN}/auth-tokens`, ask('open sesame', { merchantCode: 'M-0002' }))),
    ).toEqual([401, 'MERCHANT_UNKNOWN'])
  })
})

describe('token requests', () => {
  test.each([
    ['INVALID_ACTION', { action: 'PAYOUT_CREATE', idPayment: 'x' }],
    ['INVALID_ACTION', { action: 'toString', idPayment: 'x' }],
    ['INVALID_ID_PAYMENT', { action: 'PAYIN_INFO' }],
    ['INVALID_ID_PAYMENT', { action: 'PAYIN_INFO', idPayment: '' }],
    ['INVALID_OPERATIONS', {}],
    ['INVALID_OPERATIONS', { operations: [] }],
    ['INVALID_OPERATIONS', { operations: 'GET /balances' }],
    ['INVALID_OPERATIONS', { operations: ['/balances'] }],
    ['INVALID_OPERATIONS', { operations: ['get /balances'] }],
    ['INVALID_OPERATIONS', { operations: ['GET '] }],
    ['INVALID_OPERATIONS', { operations: ['GET'] }],
    ['INVALID_OPERATIONS', { operations: ['GET  /balances'] }],
    ['INVALID_OPERATIONS', { operations: ['GET\t/balances'] }],
    ['INVALID_OPERATIONS', { operations: [' GET /balances'] }],
    ['INVALID_OPERATIONS', { operations: ['GET payins/one'] }],
    ['INVALID_OPERATIONS', { operations: ['GET ^balances$'] }],
    ['INVALID_OPERATIONS', { operations: ['GET /payins/(a+)+b'] }],
    ['INVALID_OPERATIONS', { operations: ['GET /payins/(a|a){9}b'] }],
    ['INVALID_OPERATIONS', { operations: ['GET /payins/.*a.*b.*c.*d'] }],
    ['INVALID_OPERATIONS', { operations: [`GET /payins/${'a?'.repeat(30)}b`] }],
    ['INVALID_OPERATIONS', { operations: ['GET /balances', 'POST'] }],
    ['INVALID_OPERATIONS', { operations: ['GET /payins/('] }],
    ['INVALID_OPERATIONS', { operations: ['GET /payins/a)|(?:b'] }],
    ['INVALID_OPERATIONS', { operations: ['GET /payins/a**'] }],
    ['INVALID_OPERATIONS', { operations: ['GET /payins/{idPayin}'] }],
    ['INVALID_OPERATIONS', { operations: [`GET /${'a'.repeat(8192)}`] }],
    ['TOKEN_TOO_LARGE', { operations: [`GET /payins/${'a'.repeat(7000)}`] }],
    ['TOKEN_TOO_LARGE', { action: 'PAYIN_INFO', idPayment: 'a'.repeat(7000) }],
    ['INVALID_VALIDITY', { operations: ['GET /balances'], validitySecs: 0 }],
    ['INVALID_VALIDITY', { operations: ['GET /balances'], validitySecs: 1.5 }],
    ['INVALID_VALIDITY', { operations: ['GET /balances'], validitySecs: '900' }],
    ['INVALID_MONEY', { operations: ['GET /balances'], money: { amount: '10', currencyCode: 'EUR' } }],
    ['INVALID_MONEY', { operations: ['GET /balances'], money: { amount: 10 } }],
  ])('%s is the response to %j', async (code, fields) => {
    const sandbox = stillSandbox()
    expect(await refusal(sandbox.fetch(pathOf(fields), tokenRequest(sandbox, fields)))).toEqual([400, code])
  })

  test('the name of the response field is the one that the option gives', async () => {
    const sandbox = stillSandbox({ tokenField: 'accessToken' })
    const response = await sandbox.fetch(
      `${ORIGIN}/auth-tokens`,
      tokenRequest(sandbox, { operations: ['GET /balances'] }),
    )
    expect(await response.json()).toEqual({
      accessToken: expect.stringMatching(/^ey[\w-]+\.ey[\w-]+\.[\w-]+$/),
    })
  })
})

describe('the option replay', () => {
  const fields = { operations: ['GET /balances'], validitySecs: 900 }
  const url = `${ORIGIN}/auth-tokens`

  test('refuses a signature that was seen, and takes one over other bytes', async () => {
    const sandbox = stillSandbox({ replay: 'refuse' })
    const request = tokenRequest(sandbox, fields)
    expect((await sandbox.fetch(url, request)).status).toBe(200)
    expect(await refusal(sandbox.fetch(url, request))).toEqual([401, 'SIGNATURE_SEEN'])
    const other = tokenRequest(sandbox, { ...fields, validitySecs: 899 })
    expect((await sandbox.fetch(url, other)).status).toBe(200)
  })

  test('remembers nothing of a request that was refused for another reason', async () => {
    const sandbox = stillSandbox({ replay: 'refuse' })
    const early = tokenRequest(stillSandbox({ startAt: SIGNED_AT + 400_000 }), fields)
    expect(await refusal(sandbox.fetch(url, early))).toEqual([401, 'TIMESTAMP_OUT_OF_RANGE'])
    await sandbox.clock.advance(400_000)
    expect((await sandbox.fetch(url, early)).status).toBe(200)
  })

  test('is off by default: the specification says nothing of it', async () => {
    const sandbox = stillSandbox()
    const request = tokenRequest(sandbox, fields)
    for (let n = 0; n < 2; n++) expect((await sandbox.fetch(url, request)).status).toBe(200)
  })
})

describe('access tokens', () => {
  const balances = (sandbox: ReturnType<typeof stillSandbox>, headers: Record<string, string>) =>
    sandbox.fetch(`${ORIGIN}/balances`, { headers })

  test('live for validitySecs and not a second longer', async () => {
    const sandbox = stillSandbox()
    const token = await mint(sandbox, { operations: ['GET /balances'], validitySecs: 60 })
    await sandbox.clock.advance(59_999)
    expect((await balances(sandbox, bearer(token))).status).toBe(200)
    await sandbox.clock.advance(1)
    expect(await refusal(balances(sandbox, bearer(token)))).toEqual([401, 'TOKEN_EXPIRED'])
  })

  test('are refused when they are absent, garbled, forged or of another sandbox', async () => {
    const sandbox = stillSandbox()
    const token = await masterToken(sandbox)
    const [head, payload, tail] = token.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const cases: [Record<string, string>, string][] = [
      [JSON_HEADERS, 'TOKEN_MISSING'],
      [{ ...JSON_HEADERS, authorization: `Basic ${token}` }, 'TOKEN_MISSING'],
      [{ ...JSON_HEADERS, authorization: token }, 'TOKEN_MISSING'],
      [bearer('garbage'), 'TOKEN_INVALID'],
      [bearer(`${none}.${payload}.`), 'TOKEN_INVALID'],
      [bearer(`${head}.${Buffer.from('{"operations":[]}').toString('base64url')}.${tail}`), 'TOKEN_INVALID'],
      [bearer(await masterToken(stillSandbox())), 'TOKEN_INVALID'],
    ]
    for (const [headers, code] of cases) {
      const response = await balances(sandbox, headers)
      expect([response.status, await codeOf(response)]).toEqual([401, code])
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  test('can be revoked one by one and all at once', async () => {
    const sandbox = stillSandbox()
    const [first, second] = [await masterToken(sandbox), await masterToken(sandbox)]
    await sandbox.revokeTokens(first)
    expect(await codeOf(await balances(sandbox, bearer(first)))).toBe('TOKEN_REVOKED')
    expect((await balances(sandbox, bearer(second))).status).toBe(200)
    await sandbox.revokeTokens()
    expect(await codeOf(await balances(sandbox, bearer(second)))).toBe('TOKEN_REVOKED')
    expect((await balances(sandbox, bearer(await masterToken(sandbox)))).status).toBe(200)
  })
})

function claimsOf(answer: unknown): unknown {
  const token = typeof answer === 'object' && answer !== null && 'token' in answer ? String(answer.token) : ''
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
}
