import { beforeEach, describe, expect, it, vi } from 'vitest'
import { acceptedPayout } from '../../faults/copies.js'
import { anyToken } from '../../faults/servers.js'
import { clientOf, create, failure } from '../../faults/support.js'

type Handler = (method: string, path: string, n: number) => Promise<Response> | Response

/** A client over a fetch that is a function: nothing here waits for anything but timers. */
function clientOver(handler: Handler, options: Parameters<typeof clientOf>[2] = {}) {
  let business = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(String(input))
    if (pathname === '/auth-tokens') return Response.json({ token: anyToken })
    return handler(init?.method ?? 'GET', pathname, ++business)
  }
  return clientOf('http://127.0.0.1:1', 'fetch', { ...options, fetch })
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
describe('the lookup after a 409', () => {
  it('has what is left of its call’s deadline, and no other', async () => {
    const never = new Promise<Response>(() => {})
    const client = clientOver((method) =>
      method === 'GET'
        ? never
        : new Promise((resolve) => {
            setTimeout(() => resolve(new Response('{}', { status: 409 })), 600)
          }),
    )
    let endedAt: number | undefined
    const startedAt = performance.now()
    const call = failure(create(client, 'payout', {}, { deadlineMs: 1000, timeoutMs: 5000 })).then(
      (error) => {
        endedAt = performance.now() - startedAt
        return error
      },
    )
    await vi.advanceTimersByTimeAsync(1100)
    expect(endedAt).toBeGreaterThanOrEqual(999)
    expect(endedAt).toBeLessThanOrEqual(1001)
    expect(await call).toMatchObject({ code: 'timeout', outcome: 'accepted' })
    await client.close()
  })
})

describe('a fresh token after a 401', () => {
  it('is none of the caller’s retries', async () => {
    const statuses = [401, 503]
    const client = clientOver(
      (_method, path, n) => {
        const status = statuses[n - 1]
        return status === undefined ? Response.json(acceptedPayout(path)) : new Response('', { status })
      },
      { retries: 1 },
    )
    const call = create(client, 'payout')
    await vi.advanceTimersByTimeAsync(5000)
    expect(await call).toMatchObject({ replayed: false })
    await client.close()
  })
})

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
