import { beforeEach, describe, expect, it, vi } from 'vitest'
import { acceptedPayout } from '../../faults/copies.js'
import { clientOf, create, failure } from '../../faults/support.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
describe('a token that runs out on its way', () => {
  /** Tokens live for two seconds, one of them as a margin; each response takes a second and a half. */
  function slowGateway(refusals: number) {
    const tokens: string[] = []
    const fetch: typeof globalThis.fetch = async (input) => {
      const { pathname } = new URL(String(input))
      if (pathname === '/auth-tokens') {
        const iat = Math.floor(Date.now() / 1000)
        const claims = { iat, exp: iat + 2, jti: tokens.length }
        tokens.push(`e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`)
        return Response.json({ token: tokens.at(-1) })
      }
      await new Promise((resolve) => setTimeout(resolve, 1500))
      return tokens.length <= refusals
        ? new Response('', { status: 401 })
        : Response.json(acceptedPayout(pathname))
    }
    return { tokens, client: clientOf('http://127.0.0.1:1', 'fetch', { fetch, retries: 2 }) }
  }

  it('is replaced quietly, as often as the call may be tried', async () => {
    const { client, tokens } = slowGateway(3)
    const call = create(client, 'payout')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await call).toMatchObject({ replayed: false })
    expect(tokens).toHaveLength(4)
    await client.close()
  })

  it('is no reason to ask the platform for anything', async () => {
    const { client } = slowGateway(9)
    const call = failure(create(client, 'payout'))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await call).toMatchObject({
      code: 'authentication',
      outcome: 'not-accepted',
      message: expect.stringContaining('; the token ran out on its way, so ask for a longer life'),
    })
    await client.close()
  })
})
