import { Agent, interceptors } from 'undici'
import { describe, expect, test } from 'vitest'
import { anyToken, handMadeGateway, text } from '../faults/servers.js'
import { clientOf, create, failure } from '../faults/support.js'
import { elsewhere } from './places.js'

const statuses = [301, 302, 303, 307, 308]
const secret = { signer: undefined, merchantSecret: 'canary-secret' } as const

describe.each(statuses)('a dispatcher that follows redirects, and a redirect with %i', (status) => {
  const following = () => new Agent().compose(interceptors.redirect({ maxRedirections: 5 }))

  test.each(['another origin', 'the same origin'])(
    'to %s: signature, secret and body stay',
    async (where) => {
      await using other = await elsewhere()
      const location = where === 'the same origin' ? '/elsewhere' : `${other.url}/elsewhere`
      const redirect = text(status, '', { location })
      await using gateway = await handMadeGateway({ create: [redirect] })
      await using misled = await handMadeGateway({ token: [redirect] })
      const dispatcher = following()
      const options = { dispatcher, allowInsecureHttp: true, ...secret }
      await using client = clientOf(gateway.url, 'undici', options)
      const error = await failure(create(client, 'payout'))
      expect(error).toMatchObject({ code: 'unusable_response', outcome: 'unknown', status })
      await using minting = clientOf(misled.url, 'undici', options)
      expect(await failure(create(minting, 'payout'))).toMatchObject({ outcome: 'not-accepted', status })
      const paths = [...gateway.requests, ...misled.requests].map(({ path }) => path)
      expect(paths).toEqual(['/auth-tokens', '/payouts/order-1', '/auth-tokens'])
      expect(other.connections()).toBe(0)
      await dispatcher.destroy()
    },
  )
})

describe('a fetch that follows redirects although it is told not to', () => {
  const following: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'follow' })

  test.each(statuses)('is not believed after a %i, since another server has answered', async (status) => {
    await using other = await elsewhere()
    await using gateway = await handMadeGateway({ create: [text(status, '', { location: other.url })] })
    await using client = clientOf(gateway.url, 'fetch', { fetch: following })
    const error = await failure(create(client, 'payout'))
    expect(error).toMatchObject({ code: 'unusable_response', outcome: 'unknown', attempts: 1 })
    // What it sends along is beyond the client's reach, but for the token, which no fetch takes elsewhere.
    expect(other.received()).not.toContain(anyToken)
  })

  test('does not bring a token from another origin', async () => {
    await using other = await elsewhere()
    await using gateway = await handMadeGateway({ token: [text(303, '', { location: other.url })] })
    await using client = clientOf(gateway.url, 'fetch', { fetch: following })
    expect(await failure(create(client, 'payin'))).toMatchObject({
      code: 'unusable_response',
      outcome: 'not-accepted',
    })
    expect(other.received()).toContain('GET /')
    expect(gateway.requests.map(({ path }) => path)).toEqual(['/auth-tokens'])
  })

  test('is found out by the URL of its response alone', async () => {
    const url = 'https://gateway.example.evil.example/auth-tokens'
    const strayed = async () =>
      Object.defineProperty(Response.json({ token: anyToken }), 'url', { value: url })
    await using client = clientOf('https://gateway.example', 'fetch', { fetch: strayed })
    expect(await failure(create(client, 'payin'))).toMatchObject({
      code: 'unusable_response',
      outcome: 'not-accepted',
    })
  })
})
