import { describe, expect, test } from 'vitest'
import { bearer, create, ORIGIN, paymentBody, privatePem, tokenRequest } from '../../support.js'
import { type PageOf, pageOf } from './page.js'

/** What the page masks is sent again as it was. */
const withSecret = JSON.stringify({ ...JSON.parse(paymentBody()), clientSecret: 'hunter2' })

async function withRequest(): Promise<PageOf> {
  const page = await pageOf({ merchantCode: 'M-0001', privateKey: privatePem, basePath: '/api' })
  const token = await page.sandbox
    .fetch(`${ORIGIN}/api/auth-tokens`, tokenRequest(page.sandbox, { operations: ['GET /.*', 'POST /.*'] }))
    .then((answer) => answer.json())
    .then((json) => String(Object(json).token))
  await page.sandbox.fetch(`${ORIGIN}/api/payins/order-1`, { ...create(token), body: withSecret })
  return page
}

describe('a request that the page sends again', () => {
  test('keeps its id, and is answered as a replay', async () => {
    await using page = await withRequest()
    const { json } = await page.ask('POST', 'requests/2/resend', {})
    expect(json).toMatchObject({ status: 409, verdict: 'ALREADY_ACCEPTED', arrived: true, number: 4 })
    expect(page.sandbox.payins.size).toBe(1)
    expect(page.sandbox.requests.map(({ path }) => path)).toEqual([
      '/api/auth-tokens',
      '/api/payins/order-1',
      '/api/auth-tokens',
      '/api/payins/order-1',
    ])
    expect(page.sandbox.requests[3]?.bodyText).toBe(withSecret)
    expect(JSON.stringify(json)).not.toMatch(/eyJ/)
  })

  test('is signed anew when it asks for a token', async () => {
    await using page = await withRequest()
    expect((await page.ask('POST', 'requests/1/resend', {})).json).toMatchObject({ status: 200 })
  })

  test('goes without a token where it had none, and without the version', async () => {
    await using page = await withRequest()
    await page.sandbox.fetch(`${ORIGIN}/api/balances`, {
      headers: { 'x-api-version': '2', accept: 'application/json' },
    })
    expect((await page.ask('POST', 'requests/3/resend', {})).json).toMatchObject({ status: 401 })
    await page.sandbox.fetch(`${ORIGIN}/api/balances`)
    const last = page.sandbox.requests.length
    expect((await page.ask('POST', `requests/${last}/resend`, {})).json).toMatchObject({ status: 404 })
  })

  test('with a token that was revoked gets a good one', async () => {
    await using page = await withRequest()
    const read = { headers: bearer('revoked') }
    await page.sandbox.fetch(`${ORIGIN}/api/payins/order-1`, read)
    expect((await page.ask('POST', 'requests/3/resend', {})).json).toMatchObject({ status: 200 })
  })

  test('is not sent when no token can be had, and names no request of before', async () => {
    await using page = await withRequest()
    await page.ask('POST', 'requests/2/resend', {})
    const before = page.sandbox.requests.length
    page.sandbox.fault({
      route: 'POST /auth-tokens',
      action: { kind: 'status', status: 403, processed: false },
    })
    const { json } = await page.ask('POST', 'requests/2/resend', {})
    expect(json).toMatchObject({ number: null, status: 403 })
    expect(Object(json).message).toMatch(
      /^Not sent, so nothing new was made: the token request before it got no token\. Response 403/,
    )
    page.sandbox.fault({ route: 'POST /auth-tokens', action: { kind: 'drop-after' } })
    expect((await page.ask('POST', 'requests/2/resend', {})).json).toMatchObject({
      number: null,
      arrived: false,
      message: 'Not sent, so nothing new was made: the token request before it got no response.',
    })
    expect(page.sandbox.requests.slice(before).map(({ path }) => path)).toEqual([
      '/api/auth-tokens',
      '/api/auth-tokens',
    ])
  })

  test('has its own number, although another of the same path comes while it is answered', async () => {
    await using page = await withRequest()
    page.sandbox.fault({
      route: 'POST /payins/{idPayin}',
      action: { kind: 'delay', ms: 200 },
    })
    const resent = await Promise.all([
      page.ask('POST', 'requests/2/resend', {}),
      page.ask('POST', 'requests/2/resend', {}),
    ])
    const numbers = resent.map(({ json }) => Number(Object(json).number)).sort()
    const sent = page.sandbox.requests.flatMap(({ path }, index) =>
      path.endsWith('/order-1') ? [index + 1] : [],
    )
    expect(numbers).toEqual(sent.slice(1))
  })

  test.each([
    ['requests/99/resend', {}, 404],
    ['requests/x/resend', {}, 404],
  ])('is refused by %s with %j', async (path, change, status) => {
    await using page = await withRequest()
    expect((await page.ask('POST', path, change)).status).toBe(status)
    expect(page.sandbox.requests).toHaveLength(2)
  })
})
