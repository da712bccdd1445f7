import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { operation } from '../../../src/client/auth/operations.js'
import type { StandardSchema } from '../../../src/client/schemas/standard-schema.js'
import { caught } from '../../support/caught.js'
import { headersOf, isSigned, mockGateway } from '../../support/gateway.js'

const gateway = mockGateway()
const operations = [operation('GET', '/reports/.*')]

describe('request() reaches any other path of the gateway', () => {
  it('GET with a query, lists joined by commas, to the byte', async () => {
    gateway.answer({ total: 5 })
    const report = await gateway.client().request({
      method: 'GET',
      path: '/reports/2026-11',
      query: { currencies: ['EUR', 'USD'], page: 2, name: 'a b', from: undefined },
      operations,
    })
    expect(report).toEqual({ total: 5 })
    expect(gateway.business()).toEqual([
      {
        method: 'GET',
        target: '/reports/2026-11?currencies=EUR,USD&page=2&name=a%20b',
        headers: headersOf(false),
        body: '',
      },
    ])
    const [token] = gateway.tokenRequests()
    expect(token?.body).toContain('"operations":["GET /reports/.*"]')
    expect(token !== undefined && isSigned(token)).toBe(true)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('%s with a body, to the byte', async (method) => {
    await gateway.client().request({ method, path: '/reports', body: { b: 1, a: ['é'] }, operations })
    expect(gateway.business()).toEqual([
      { method, target: '/reports', headers: headersOf(true), body: '{"b":1,"a":["é"]}' },
    ])
  })

  it('below a base address with a path', async () => {
    await gateway
      .client({ baseUrl: 'https://gateway.example/api/v2/' })
      .request({ method: 'GET', path: '/reports', operations })
    expect(gateway.seen.map(({ target }) => target)).toEqual(['/api/v2/auth-tokens', '/api/v2/reports'])
  })

  it('a response without a body is undefined', async () => {
    gateway.answer(() => new Response(null, { status: 204 }))
    const client = gateway.client()
    expect(await client.request({ method: 'DELETE', path: '/reports/1', operations })).toBeUndefined()
  })
})

// Paths that lead elsewhere are refused: test/security/addresses.test.ts.
describe('a path that looks odd and leads to the gateway', () => {
  it.each(['/', '/a..b', '/...', '/.well-known/x', '/a:b', '/a@b', '/a%20b', '/a;b'])(
    '%j is sent',
    async (path) => {
      await gateway.client().request({ method: 'GET', path, operations })
      expect(gateway.business()[0]?.target).toBe(path)
    },
  )
})

describe('the response may be checked by any Standard Schema', () => {
  const response = z.object({ total: z.coerce.number(), note: z.string().default('none') })
  const request = { method: 'GET', path: '/reports/1', operations } as const

  it('whose output is the result', async () => {
    gateway.answer({ total: '5' })
    const report = await gateway.client().request({ ...request, response })
    expect(report.total + 1).toBe(6)
    expect(report.note).toBe('none')
  })

  it('also when it answers later', async () => {
    gateway.answer({ total: 5 })
    const later = response.refine(() => Promise.resolve(true))
    expect(await gateway.client().request({ ...request, response: later })).toMatchObject({ total: 5 })
  })

  it('and what does not fit is unusable, with paths and without values', async () => {
    gateway.answer({ total: 'secret-value' })
    const error = await caught(() => gateway.client().request({ ...request, response }))
    expect(error).toMatchObject({ code: 'unusable_response', status: 200, attempts: 1 })
    expect(error.issues).toHaveLength(1)
    expect(error.issues?.[0]).toMatch(/^total: /)
    expect(JSON.stringify(error)).not.toContain('secret-value')
  })

  it('whose messages may quote values, which no error shows', async () => {
    gateway.answer({ owner: 'Jane Roe', account: '0012345678' })
    const quoting: StandardSchema<never> = {
      '~standard': {
        version: 1,
        vendor: 'quoting',
        validate: () => ({
          issues: [
            { message: 'Expected number but received "0012345678"', path: ['account'] },
            { message: 'Expected number but received "Jane Roe"', path: [{ key: 'owner' }] },
          ],
        }),
      },
    }
    const error = await caught(() => gateway.client().request({ ...request, response: quoting }))
    expect(error.issues).toHaveLength(2)
    expect(error.issues?.[0]).toMatch(/^account: /)
    expect(JSON.stringify(error) + String(error.stack)).not.toMatch(/0012345678|Jane Roe/)
  })

  it('that throws leaves an error which says that the request was processed', async () => {
    const cause = new TypeError('x is undefined')
    const throwing: StandardSchema<never> = {
      '~standard': {
        version: 1,
        vendor: 'throwing',
        validate: () => {
          throw cause
        },
      },
    }
    const error = await caught(() =>
      gateway.client().request({ ...request, method: 'POST', response: throwing }),
    )
    expect(error).toMatchObject({ code: 'unusable_response', status: 200, cause })
    expect(error.message).toContain('the gateway has processed it')
  })

  it('is given undefined where there was no body', async () => {
    gateway.answer(() => new Response(null, { status: 204 }))
    const nothing = z.undefined()
    expect(await gateway.client().request({ ...request, response: nothing })).toBeUndefined()
  })
})

describe('a request is sent again only where that is safe (peer failure 7)', () => {
  const failing = () => Response.json({}, { status: 500, headers: { 'retry-after': '0' } })
  it.each([
    ['GET', undefined, 2],
    ['POST', undefined, 1],
    ['PUT', undefined, 1],
    ['DELETE', undefined, 1],
    ['POST', true, 2],
    ['GET', false, 1],
  ] as const)('%s with idempotent %s: %i attempts', async (method, idempotent, attempts) => {
    gateway.answer(failing)
    const flag = idempotent === undefined ? {} : { idempotent }
    const error = await caught(() =>
      gateway.client({ retries: 1 }).request({ method, path: '/reports', operations, ...flag }),
    )
    expect(error).toMatchObject({ code: 'server', attempts })
    expect(gateway.business()).toHaveLength(attempts)
  })

  it('a POST is sent again after a 401, with a token that was new then', async () => {
    let refusals = 0
    gateway.answer(() => Response.json({}, { status: refusals++ === 0 ? 401 : 200 }))
    await gateway.client().request({ method: 'POST', path: '/reports', operations })
    expect(gateway.business()).toHaveLength(2)
    expect(gateway.tokenRequests()).toHaveLength(1)
  })

  // These may be about the token, and do not say that the request was turned down.
  it.each([419, 440, 498])('a POST is not sent again after a %i', async (status) => {
    const client = gateway.client({ retries: 0 })
    const request = { method: 'POST', path: '/reports', operations } as const
    await client.request(request)
    gateway.answer(() => Response.json({}, { status }))
    expect(await caught(() => client.request(request))).toMatchObject({ code: 'server', attempts: 1 })
    expect(gateway.business()).toHaveLength(2)
  })
})
