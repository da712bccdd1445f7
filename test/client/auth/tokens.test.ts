import { describe, expect, it } from 'vitest'
import { decodeToken, ServerToken } from '../../../src/client/auth/tokens.js'
import { caught } from '../../support/caught.js'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwtOf = (claims: object) => `${encode({ alg: 'RS256', kid: 'k1' })}.${encode(claims)}.c2lnbmF0dXJl`

describe('decode reads a token and verifies nothing', () => {
  it('shows header, claims and times', () => {
    const claims = { sub: 'M-0001', iat: 1_700_000_000, exp: 1_700_000_900, scope: ['x'] }
    expect(decodeToken(jwtOf(claims))).toEqual({
      verified: false,
      header: { alg: 'RS256', kid: 'k1' },
      claims,
      issuedAt: new Date(1_700_000_000_000),
      expiresAt: new Date(1_700_000_900_000),
    })
  })

  it('takes a server token too', () => {
    expect(decodeToken(new ServerToken(jwtOf({ sub: 'M-0001' }))).claims).toEqual({ sub: 'M-0001' })
  })

  it.each([
    ['absent', {}],
    ['null', { iat: null, exp: null }],
    ['texts', { iat: 'yesterday', exp: 'soon' }],
    ['beyond all dates', { iat: 1e20, exp: 1e20 }],
  ])('shows no times when they are %s', (_case, claims) => {
    const decoded = decodeToken(jwtOf(claims))
    expect(decoded).not.toHaveProperty('issuedAt')
    expect(decoded).not.toHaveProperty('expiresAt')
    expect(decoded.claims).toEqual(claims)
  })

  it.each(['', 'opaque', 'a.b', 'a.b.c', `${jwtOf({})}.more`, `Bearer ${jwtOf({})}`])(
    'refuses what is no JWT without repeating it: "%s"',
    async (text) => {
      const error = await caught(() => decodeToken(text))
      expect(error).toMatchObject({ code: 'invalid_input', field: 'token' })
      expect(error.message).toBe('token must be a JWT: three parts of base64url with dots between them.')
      expect(error.cause).toBeUndefined()
    },
  )
})
