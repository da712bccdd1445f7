import { describe, expect, it } from 'vitest'
import { caught } from '../../support/caught.js'
import { mockGateway } from '../../support/gateway.js'

const gateway = mockGateway()
const nowSecs = 1_700_000_000

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwtOf = (claims: object) => `${encode({ alg: 'RS256' })}.${encode(claims)}.c2ln`

/** Numbered tokens, so that a test sees which one a request carried. */
function numberedTokens(): void {
  let count = 0
  gateway.answerTokens(() => Response.json({ token: `t${++count}` }))
}

const unauthorised = () => Response.json({}, { status: 401 })
const carried = () => gateway.business().map(({ headers }) => headers.authorization)

/** A client whose token t1 worked, and is refused from now on. */
async function withRevoked(status: number) {
  numberedTokens()
  const client = gateway.client({ retries: 0 })
  await client.payins.retrieve('first')
  gateway.seen.length = 0
  gateway.answer(({ headers }) =>
    headers.authorization === 'Bearer t1' ? Response.json({}, { status }) : Response.json({}),
  )
  return client
}

const payout = {
  idPayout: 'order-1',
  paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'X' },
}

describe('a token that the gateway does not take', () => {
  it.each([401, 498])(
    'any more (%i) is dropped, and the call tries once more with a new one, whatever its retries',
    async (status) => {
      const client = await withRevoked(status)
      await client.payins.retrieve('a')
      await client.payins.retrieve('b')
      expect(carried()).toEqual(['Bearer t1', 'Bearer t2', 'Bearer t2'])
    },
  )

  it('is replaced once for five calls that found out at the same time', async () => {
    const { payins } = await withRevoked(401)
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => payins.retrieve(id)))
    expect(gateway.tokenRequests()).toHaveLength(1)
  })

  it('twice is an error, and no third is asked for', async () => {
    numberedTokens()
    gateway.answer(unauthorised)
    const error = await caught(() => gateway.client({ retries: 4 }).payouts.create(payout))
    expect(error).toMatchObject({ code: 'authentication', status: 401, outcome: 'not-accepted' })
    expect(gateway.tokenRequests()).toHaveLength(2)
    expect([...new Set(carried())]).toEqual(['Bearer t1', 'Bearer t2'])
    expect(carried().filter((one) => one === 'Bearer t2')).toHaveLength(1)
  })

  it('for want of a permission is not replaced: the error names the operation', async () => {
    gateway.answer(() => Response.json({ message: 'no payouts' }, { status: 403 }))
    const error = await caught(() => gateway.client().payouts.create(payout))
    expect(error).toMatchObject({
      code: 'permission',
      operation: 'POST /payouts/{idPayout}',
      outcome: 'not-accepted',
      gatewayMessage: 'message: no payouts',
    })
    expect(gateway.tokenRequests()).toHaveLength(1)
  })
})

describe('how long a token is kept does not depend on this machine’s clock', () => {
  const day = 86_400
  it.each([
    ['right', 0],
    ['a day behind the gateway', day],
    ['a day ahead of the gateway (peer failure 18)', -day],
  ])('%s', async (_clock, gatewayAheadSecs) => {
    const iat = nowSecs + gatewayAheadSecs
    gateway.answerTokens({ token: jwtOf({ iat, exp: iat + 900 }) })
    const client = gateway.client({ now: () => nowSecs * 1000 })
    for (const id of ['a', 'b', 'c']) await client.payins.retrieve(id)
    expect(gateway.tokenRequests()).toHaveLength(1)
  })

  it('a created token lives by its own claims', async () => {
    gateway.answerTokens({ token: jwtOf({ iat: nowSecs, exp: nowSecs + 300 }) })
    const created = await gateway.client().authTokens.create({ operations: ['GET /reports'] })
    expect(created.lifetimeMs).toBe(300_000)
  })

  it('a token that had expired before it came is still tried, once for each call', async () => {
    gateway.answerTokens({ token: jwtOf({ iat: nowSecs, exp: nowSecs - 5 }) })
    const client = gateway.client()
    await client.payins.retrieve('a')
    await client.payins.retrieve('b')
    expect(gateway.seen.map(({ target }) => target)).toEqual([
      '/auth-tokens',
      '/payins/a',
      '/auth-tokens',
      '/payins/b',
    ])
  })
})

describe('an error of the token endpoint', () => {
  it('shows nothing of the merchant secret, however the gateway echoes it (peer failure 21)', async () => {
    // Words that no path of a stack has.
    const merchantSecret = 'zéphyr "quartz"/1'
    const echoes = [
      JSON.stringify({ message: `secret ${merchantSecret} is wrong` }),
      JSON.stringify({ message: JSON.stringify({ secret: merchantSecret }) }),
      `<p>${encodeURIComponent(merchantSecret)}</p>`,
    ]
    for (const body of echoes) {
      gateway.answerTokens(() => new Response(body, { status: 400, headers: { 'x-request-id': 'r1' } }))
      const client = gateway.client({ privateKey: undefined, merchantSecret })
      const error = await caught(() => client.merchantInfo.retrieve())
      expect(JSON.stringify(error) + String(error.stack)).not.toMatch(/phyr|quartz/)
    }
  })
})
