import { describe, expect, it, vi } from 'vitest'
import { fieldNames, findToken } from '../../../src/client/auth/token-response.js'
import { caught } from '../../support/caught.js'
import { mockGateway } from '../../support/gateway.js'

const jwt = (subject: string) =>
  `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ sub: subject })).toString('base64url')}.c2ln`

const one = jwt('one')
const other = jwt('other')

describe('the token is found in the response of a token endpoint', () => {
  it.each(['token', 'accessToken', 'access_token', 'authToken', 'jwt', 'bearerToken'])(
    'under the usual name %s',
    (name) => {
      expect(findToken({ [name]: 'abc', token_type: 'Bearer' }, undefined)).toBe('abc')
    },
  )

  it.each([
    ['a usual name goes before a JWT elsewhere', { token: 'abc', id: one }, 'abc'],
    ['the only JWT, under any name', { ticket: one, validitySecs: 900 }, one],
    ['the only JWT, at any depth', { data: { items: [{ ticket: one }] } }, one],
    ['the only JWT, though it comes twice', { ticket: one, again: one }, one],
    ['a bare JWT as the whole response', one, one],
    ['of the usual names the one that is a JWT', { token: '2b1c6a1e-uuid', accessToken: one }, one],
    ['the first of the usual names, where none is a JWT', { token: 'abc', accessToken: 'def' }, 'abc'],
    ['a value with its scheme', { token: `Bearer ${one}` }, one],
    ['a value with its scheme and a colon', { token: `Bearer: ${one}` }, one],
    ['a value with blanks or a line break around it', { token: ` ${one}\r\n` }, one],
    ['the only JWT with its scheme', { data: { ticket: `bearer ${one}` } }, one],
    ['a bare JWT with its scheme', `Bearer ${one}`, one],
    ['a usual name that holds no string is passed over', { token: { value: one } }, one],
    ['a usual name that holds what no header can carry is passed over', { token: 'a b\n', ticket: one }, one],
  ])('%s', (_case, response, token) => {
    expect(findToken(response, undefined)).toBe(token)
  })

  it.each([
    ['two different JWTs', { first: one, second: other }],
    ['no JWT and no usual name', { ticket: 'abc' }],
    ['an empty token', { token: '' }],
    ['null', null],
    ['a number', 5],
    ['an empty list', []],
    ['what only looks like a JWT', { ticket: 'a.b.c', host: 'www.gateway.example' }],
  ])('is not guessed from %s', (_case, response) => {
    expect(findToken(response, undefined)).toBeUndefined()
  })

  it.each([
    ['a named field', { ticket: 'abc', token: 'other' }, 'ticket', 'abc'],
    ['a named field with its scheme', { ticket: 'Bearer abc' }, 'ticket', 'abc'],
    ['a named field at depth', { data: { ticket: 'abc' } }, 'data.ticket', 'abc'],
    ['a named field in a list', { data: [{ ticket: 'abc' }] }, 'data.0.ticket', 'abc'],
    ['a named field that is absent, though another would do', { token: 'abc' }, 'ticket', undefined],
    ['a name of Object.prototype', {}, 'constructor.name', undefined],
  ])('%s', (_case, response, field, token) => {
    expect(findToken(response, field)).toBe(token)
  })

  it('field names are shown up to twenty, values never', () => {
    const wide = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`field${n}`, 'value']))
    expect(fieldNames(wide)).toHaveLength(20)
    expect(fieldNames('text')).toEqual([])
  })
})

describe('a response without a token', () => {
  const gateway = mockGateway()

  it('names the fields that came and not their values', async () => {
    gateway.answerTokens({ ticket: 'secret-ticket', kind: 'secret-kind' })
    const error = await caught(() => gateway.client().merchantInfo.retrieve())
    expect(error.code).toBe('unusable_response')
    expect(error.message).toContain('ticket, kind')
    expect(error.message).toContain('tokenField')
    expect(error.issues).toEqual(['ticket: no token', 'kind: no token'])
    expect(JSON.stringify(error) + String(error.stack)).not.toContain('secret-')
  })

  it('is found when the option names its field', async () => {
    gateway.answerTokens({ data: { ticket: 'opaque' } })
    gateway.answer({ channelInfo: { name: 'Shop' } })
    await gateway.client({ tokenField: 'data.ticket' }).merchantInfo.retrieve()
    expect(gateway.business()[0]?.headers.authorization).toBe('Bearer opaque')
  })
})

describe('a token without JSON around it', () => {
  const gateway = mockGateway()
  const opaque = 'mgt_0123456789.abcdefghi-jkl~mno+pqr/stu=='

  it.each([
    ['a JWT as text', one, one],
    ['a JWT as text, with a line break after it', `${one}\r\n`, one],
    ['an opaque token as text', opaque, opaque],
    ['an opaque token as a JSON string', JSON.stringify(opaque), opaque],
  ])('is taken: %s', async (_case, body, token) => {
    gateway.answerTokens(() => new Response(body, { headers: { 'content-type': 'text/plain' } }))
    gateway.answer({ channelInfo: { name: 'Shop' } })
    await gateway.client().merchantInfo.retrieve()
    expect(gateway.business()[0]?.headers.authorization).toBe(`Bearer ${token}`)
  })

  it.each([
    ['a word', 'OK'],
    ['a word as a JSON string', '"Unauthorized"'],
    ['a sentence', 'the service is being maintained'],
    ['two lines', `${one}\n${other}`],
    ['a page', '<html><body>0123456789abcdef</body></html>'],
    ['nothing', ''],
    ['four megabytes', ' '.repeat(4_000_000) + one],
  ])('is not seen in %s', async (_case, body) => {
    gateway.answerTokens(() => new Response(body))
    const error = await caught(() => gateway.client().merchantInfo.retrieve())
    expect(error.code).toBe('unusable_response')
    expect(gateway.business()).toEqual([])
  })
})

describe('a token that no header could carry', () => {
  const gateway = mockGateway()
  const claimsOf = (length: number) => Buffer.from(`{"sub":"${'x'.repeat(length)}"}`).toString('base64url')
  const jwtOfLength = (length: number) => `${one.split('.')[0]}.${claimsOf(length)}.c2ln`

  it.each([
    ['under a usual name', { token: 'x'.repeat(8193) }],
    ['as the only JWT', { ticket: jwtOfLength(9000) }],
    ['of nearly a megabyte', { token: jwtOfLength(700_000) }],
    ['as a JSON string', 'x'.repeat(8193)],
  ])('is refused with a sentence, and is not kept: one %s', async (_case, answer) => {
    gateway.answerTokens(() => Response.json(answer))
    const client = gateway.client()
    const error = await caught(() => client.merchantInfo.retrieve())
    expect(error).toMatchObject({ code: 'unusable_response', issues: ['token: longer than 8192 characters'] })
    expect(error.message).toContain('has more than 8192 characters')
    expect(error.message.length).toBeLessThan(400)
    gateway.answerTokens({ token: 'x'.repeat(8192) })
    gateway.answer({ channelInfo: { name: 'Shop' } })
    await expect(client.merchantInfo.retrieve()).resolves.toBeDefined()
  })

  it('a hundred thousand texts that look like tokens are not all read', () => {
    const read = vi.spyOn(JSON, 'parse')
    const texts = Array.from({ length: 100_000 }, (_, n) => `e30.e30.${n}`)
    expect(findToken({ data: texts }, undefined)).toBeUndefined()
    expect(read.mock.calls.length).toBeLessThan(1000)
    read.mockRestore()
  })
})
