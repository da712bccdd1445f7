import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TokenStore } from '../../../src/index.js'
import { postgresTokenStore, schemaSql } from '../../../src/shared/postgres/index.js'
import { describeWith, ownPostgres } from '../../support/engines.js'
import { keepsTheContract } from '../../support/token-store-contract.js'

const newKey = () => randomBytes(32).toString('hex')
const asked = { unless: undefined, forMs: 5_000 }

describeWith('postgres', 'postgresTokenStore', () => {
  let own: Awaited<ReturnType<typeof ownPostgres>>
  beforeAll(async () => {
    own = await ownPostgres()
    await own.pool.query(schemaSql({ schema: own.schema }))
  })
  afterAll(() => own[Symbol.asyncDispose]())
  const storeOf = (...encryptionKeys: string[]) =>
    postgresTokenStore({ connection: own.pool, encryptionKeys, schema: own.schema })
  const table = () => `${own.schema}.merchant_gateway_tokens`

  async function mint(store: TokenStore, key: string, lifetimeMs = 900_000): Promise<string> {
    const came = await store.claim(key, asked)
    if (came.state !== 'claimed') throw new Error(`not claimed but ${came.state}`)
    return store.put(key, came.claim, { token: 'canary-token', lifetimeMs })
  }

  describe('over a pool', () => {
    keepsTheContract(() => storeOf(newKey()))
  })

  test('its tables can be made again, and found by search_path', async () => {
    await own.pool.query(schemaSql({ schema: own.schema }))
    const client = await own.pool.connect()
    try {
      await client.query(`SET search_path TO ${own.schema}`)
      const store = postgresTokenStore({ connection: client, encryptionKeys: [newKey()] })
      await mint(store, 'by search_path')
      expect(await store.claim('by search_path', asked)).toMatchObject({ token: 'canary-token' })
    } finally {
      client.release(true)
    }
  })

  test('keys rotate: what an old key has sealed is opened', async () => {
    const [old, young] = [newKey(), newKey()]
    await mint(storeOf(old), 'rotated')
    expect(await storeOf(young, old).claim('rotated', asked)).toMatchObject({ token: 'canary-token' })
    expect(await storeOf(young).claim('rotated', asked)).toMatchObject({ state: 'claimed' })
  })

  test.each([
    ['nothing', ''],
    ['no text of ours', '{"token":"stolen"}'],
    ['a torn one', '1.abcdefgh.AAAA'],
    ['text of 10 MB', 'x'.repeat(10_000_000)],
  ])(
    'an entry that is %s is as good as none, and no more of it is read than of ours',
    async (what, entry) => {
      let read = 0
      const connection = {
        async query(text: string, values?: unknown[]) {
          const result = await own.pool.query(text, values)
          read += JSON.stringify(result.rows).length
          return result
        },
      }
      const store = postgresTokenStore({ connection, encryptionKeys: [newKey()], schema: own.schema })
      const key = `torn ${what}`
      await own.pool.query(
        `INSERT INTO ${table()} (key, text, ends_at) VALUES ($1, $2, now() + interval '1 hour')`,
        [key, entry],
      )
      const claimed = await store.claim(key, asked)
      expect(claimed).toMatchObject({ state: 'claimed', unreadable: true })
      if (claimed.state !== 'claimed') return
      await store.put(key, claimed.claim, { token: 'canary-token', lifetimeMs: 900_000 })
      expect(await store.claim(key, asked)).toMatchObject({ state: 'stored' })
      expect(read).toBeLessThan(100_000)
    },
  )

  test('no row holds the token', async () => {
    await mint(storeOf(newKey()), 'canary')
    const { rows } = await own.pool.query(`SELECT * FROM ${table()}`)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain('canary-token')
  })

  test('rows that nobody has needed for an hour are swept away', async () => {
    const store = storeOf(newKey())
    await mint(store, 'old')
    await own.pool.query(`UPDATE ${table()} SET ends_at = now() - interval '2 hours' WHERE key = 'old'`)
    await mint(store, 'new')
    const { rows } = await own.pool.query(`SELECT key FROM ${table()} WHERE key IN ('old', 'new')`)
    expect(rows).toEqual([{ key: 'new' }])
  })
})
