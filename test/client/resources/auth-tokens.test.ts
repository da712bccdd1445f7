import { describe, expect, it } from 'vitest'
import { caught } from '../../support/caught.js'
import { bearer, isSigned, mockGateway } from '../../support/gateway.js'

const gateway = mockGateway()

describe('authTokens.create', () => {
  it('is never answered from the cache: each call makes a token', async () => {
    const client = gateway.client()
    await client.authTokens.create({ operations: ['GET /balances'] })
    await client.authTokens.create({ operations: ['GET /balances'] })
    expect(gateway.tokenRequests()).toHaveLength(2)
  })

  it('carries the status and touches no payment when it fails', async () => {
    gateway.answerTokens(() => Response.json({ message: 'unknown merchant' }, { status: 401 }))
    const error = await caught(() => gateway.client().authTokens.create({ operations: ['GET /balances'] }))
    expect(error).toMatchObject({
      code: 'authentication',
      status: 401,
      gatewayMessage: 'message: unknown merchant',
    })
    expect(error.message).toMatch(
      /^POST \/auth-tokens: not authenticated .*; no payment was touched by it; check merchantCode/,
    )
    expect(error).not.toHaveProperty('outcome')
  })
})

describe('a token for a browser that would be good for longer than a week', () => {
  it('is refused with the limit and the unit, and nothing is sent', async () => {
    const asked = gateway.client().authTokens.shareable({ idPayin: 'order-1', validitySecs: 900_000 })
    const error = await caught(() => asked)
    expect(error).toMatchObject({ code: 'invalid_input', field: 'validitySecs' })
    expect(String(error)).toMatch(/at most 604800 \(168 hours\).*in seconds, so divide milliseconds by 1000/)
    expect(gateway.seen).toEqual([])
  })

  it('is made when so long is said to be meant', async () => {
    const long = { idPayin: 'order-1', validitySecs: 900_000, maxValiditySecs: 1_000_000 }
    await gateway.client().authTokens.shareable(long)
    expect(gateway.seen[0]?.body).toContain('"validitySecs":900000')
  })
})

describe('a response that redirects', () => {
  const messageOf = async (location: string) => {
    gateway.answer(() => new Response(null, { status: 308, headers: { location } }))
    return String(await caught(() => gateway.client({ retries: 0 }).currencies.list()))
  }

  it.each([
    ['https://new.example/api/currencies?session=s3cret', 'https://new.example/api/currencies'],
    ['https://user:s3cret@new.example/api', 'https://new.example/api'],
    ['/login?s3cret', '/login'],
  ])('says that %s is %s', async (location, shown) => {
    const message = await messageOf(location)
    expect(message).toContain(
      `the gateway answered 308 and points to ${shown}, and redirects are not followed`,
    )
    expect(message).not.toContain('s3cret')
  })

  it.each([
    `https://new.example/${bearer}`,
    `/a?token=${bearer}`,
    '//new.example/a',
    'javascript:alert(1)',
    '',
  ])('says nothing of %s', async (location) => {
    expect(await messageOf(location)).toContain('the gateway answered 308, and redirects are not followed')
  })
})

describe('authTokens.decode', () => {
  it('reads a token and says that nothing is verified', async () => {
    const { authTokens } = gateway.client()
    const { token } = await authTokens.createByAction({ action: 'PAYIN_INFO', idPayment: 'a' })
    expect(authTokens.decode(token)).toEqual({
      verified: false,
      header: { alg: 'none' },
      claims: { sub: 'M-0001' },
    })
    expect(gateway.seen).toHaveLength(1)
  })
})

describe('money of a token', () => {
  it('is a plain decimal in the bytes that are signed, and may have more fields', async () => {
    const limit = { amount: '0.0000001', currencyCode: 'XYZ', extra: { scale: 7 } }
    await gateway.client().authTokens.create({ operations: ['GET /x'], money: limit })
    const [sent] = gateway.seen
    expect(sent?.body).toContain('"money":{"amount":0.0000001,"currencyCode":"XYZ","scale":7}')
    expect(sent !== undefined && isSigned(sent)).toBe(true)
  })
})
