import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test, vi } from 'vitest'
import type { TokenStore } from '../../src/index.js'

let keys = 0
const asked = { unless: undefined, forMs: 5_000 }

/** What every store of tokens does. */
export function keepsTheContract(storeOf: () => TokenStore): void {
  let store: TokenStore
  beforeAll(() => {
    store = storeOf()
  })
  const nextKey = () => `M-0001:payins:${++keys}`
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

/** A store of tokens over an engine that others can read, and write to. */
export interface SealedTokens {
  storeOf(...encryptionKeys: string[]): TokenStore
  /** Over a connection that counts how much it reads. */
  counted(): { readonly store: TokenStore; readonly characters: () => number }
  /** Keeps this in place of what a store has for a key. */
  write(key: string, text: string): Promise<unknown>
  /** All that the engine keeps for a key, as one text. */
  contents(key: string): Promise<string>
}

export const newKey = () => randomBytes(32).toString('base64')

export async function mint(store: TokenStore, key: string): Promise<string> {
  const claimed = await store.claim(key, asked)
  if (claimed.state !== 'claimed') throw new Error(`not claimed but ${claimed.state}`)
  return store.put(key, claimed.claim, { token: 'canary-token', lifetimeMs: 900_000 })
}

/** What every store does whose tokens lie where others can read and write them. */
export function sealsItsTokens({ storeOf, counted, write, contents }: SealedTokens): void {
  test('keys rotate: what an old key has sealed is opened, and what is new is sealed with the first', async () => {
    const [old, young] = [newKey(), newKey()]
    await mint(storeOf(old), 'rotated')
    expect(await storeOf(young, old).claim('rotated', asked)).toMatchObject({ token: 'canary-token' })
    await mint(storeOf(young, old), 'young')
    expect(await storeOf(young).claim('young', asked)).toMatchObject({ token: 'canary-token' })
  })

  test('what another key has sealed is as good as none, and the claim tells of it', async () => {
    await mint(storeOf(newKey()), 'foreign')
    expect(await storeOf(newKey()).claim('foreign', asked)).toMatchObject({
      state: 'claimed',
      unreadable: true,
    })
  })

  test.each([
    ['nothing', ''],
    ['no text of ours', '{"token":"stolen"}'],
    ['a torn one', '1.abcdefgh.AAAA'],
    ['text of 10 MB', 'x'.repeat(10_000_000)],
    ['a token for ever', '{"v":1,"stored":{"sealed":"1.abcdefgh.AAAA","endsAt":1e300}}'],
    ['a token for longer than numbers go', '{"v":1,"stored":{"sealed":"1.abcdefgh.AAAA","endsAt":1e400}}'],
  ])(
    'an entry that is %s is as good as none, and no more of it is read than of ours',
    async (what, entry) => {
      const { store, characters } = counted()
      const key = `torn ${what}`
      await write(key, entry)
      const claimed = await store.claim(key, asked)
      // Redis does not tell an empty text from none.
      const unreadable = entry === '' ? expect.any(Boolean) : true
      expect(claimed).toMatchObject({ state: 'claimed', unreadable })
      if (claimed.state !== 'claimed') return
      await store.put(key, claimed.claim, { token: 'canary-token', lifetimeMs: 900_000 })
      expect(await store.claim(key, asked)).toMatchObject({ state: 'stored' })
      expect(characters()).toBeLessThan(100_000)
    },
  )

  test('what was sealed for one key can not be put under another', async () => {
    const store = storeOf(newKey())
    await mint(store, 'M-0001:payins:moved')
    await write('M-0002:payins:moved', await contents('M-0001:payins:moved'))
    expect(await store.claim('M-0002:payins:moved', asked)).toMatchObject({ state: 'claimed' })
  })

  test('nothing that is kept shows the token', async () => {
    await mint(storeOf(newKey()), 'canary')
    const kept = await contents('canary')
    expect(kept).not.toBe('')
    expect(kept).not.toContain('canary-token')
  })
}
