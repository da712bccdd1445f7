import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresTokenStore, schemaSql } from '../../../src/stores/postgres/index.js'
import { describeWith, ownPostgres } from '../../support/engines.js'
import { keepsTheContract, mint, newKey, sealsItsTokens } from '../../support/token-store-contract.js'

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

  sealsItsTokens({
    storeOf,
    counted() {
      let characters = 0
      const connection = {
        async query(text: string, values?: unknown[]) {
          const result = await own.pool.query(text, values)
          characters += JSON.stringify(result.rows).length
          return result
        },
      }
      const store = postgresTokenStore({ connection, encryptionKeys: [newKey()], schema: own.schema })
      return { store, characters: () => characters }
    },
    write: (key, text) =>
      own.pool.query(
        `INSERT INTO ${table()} (key, text, ends_at) VALUES ($1, $2, now() + interval '1 hour')`,
        [key, text],
      ),
    async contents(key) {
      const { rows } = await own.pool.query(`SELECT text FROM ${table()} WHERE key = $1`, [key])
      return rows[0]?.text ?? ''
    },
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
