import { beforeAll, expect, test, vi } from 'vitest'
import type { TokenStore } from '../../src/index.js'

let keys = 0

/** What every store of tokens does. */
export function keepsTheContract(storeOf: () => TokenStore): void {
  let store: TokenStore
  beforeAll(() => {
    store = storeOf()
  })
  const nextKey = () => `M-0001:payins:${++keys}`
  const asked = { unless: undefined, forMs: 5_000 }
  const token = { token: 'canary-token', lifetimeMs: 900_000 }

  async function claimOf(key: string, unless?: string): Promise<string> {
    const came = await store.claim(key, { unless, forMs: 5_000 })
    if (came.state !== 'claimed') throw new Error(`not claimed but ${came.state}`)
    return came.claim
  }

  test('of all who ask at once one gets the claim', async () => {
    const key = nextKey()
    const came = await Promise.all(Array.from({ length: 10 }, () => store.claim(key, asked)))
    expect(came.map(({ state }) => state).sort()).toEqual([...Array(9).fill('busy'), 'claimed'])
  })

  test('what was minted is there for all, with what is left of its life', async () => {
    const key = nextKey()
    const version = await store.put(key, await claimOf(key), token)
    const came = await store.claim(key, asked)
    expect(came).toMatchObject({ state: 'stored', ...token, version })
    if (came.state !== 'stored') return
    expect(came.remainingMs).toBeLessThanOrEqual(token.lifetimeMs)
    expect(came.remainingMs).toBeGreaterThan(token.lifetimeMs - 5_000)
  })

  test('one key says nothing of another', async () => {
    const key = nextKey()
    await store.put(key, await claimOf(key), token)
    await claimOf(nextKey())
  })

  test('who wants another token than this gets the claim, while others still get this', async () => {
    const key = nextKey()
    const version = await store.put(key, await claimOf(key), token)
    const claim = await claimOf(key, version)
    expect(await store.claim(key, { unless: version, forMs: 5_000 })).toMatchObject({ state: 'busy' })
    expect(await store.claim(key, asked)).toMatchObject({ state: 'stored', version })
    const next = await store.put(key, claim, { ...token, token: 'next' })
    expect(next).not.toBe(version)
    expect(await store.claim(key, { unless: version, forMs: 5_000 })).toMatchObject({ token: 'next' })
  })

  test('a claim that came to nothing is given back', async () => {
    const key = nextKey()
    const first = await claimOf(key)
    await store.release(key, 'another.1')
    expect(await store.claim(key, asked)).toMatchObject({ state: 'busy' })
    await store.release(key, first)
    await claimOf(key)
  })

  test('a claim whose holder has died ends by itself', async () => {
    const key = nextKey()
    await store.claim(key, { unless: undefined, forMs: 50 })
    await vi.waitFor(() => claimOf(key), { interval: 10 })
  })

  test('only this very token is removed', async () => {
    const key = nextKey()
    const version = await store.put(key, await claimOf(key), token)
    await store.remove(key, 'another')
    expect(await store.claim(key, asked)).toMatchObject({ state: 'stored' })
    await store.remove(key, version)
    await claimOf(key)
  })

  test('a token is given until its end and no longer, counted from its claim', async () => {
    const key = nextKey()
    await store.put(key, await claimOf(key), { ...token, lifetimeMs: 100 })
    await vi.waitFor(() => claimOf(key), { interval: 10 })
    const late = nextKey()
    await store.put(late, await claimOf(late), { ...token, lifetimeMs: 0 })
    await claimOf(late)
  })
}
