import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postgresRateLimit, schemaSql } from '../../../src/stores/postgres/index.js'
import { newLedger } from '../../../src/stores/rate-limit/ledger.js'
import { databaseUrl, describeWith, ownPostgres } from '../../support/engines.js'
import { expectNoneLost, expectShared } from '../rate-limit/expect-shared.js'

const never = new AbortController().signal

describeWith('postgres', 'a rate limit in PostgreSQL', () => {
  let engine: Awaited<ReturnType<typeof ownPostgres>>
  beforeAll(async () => {
    engine = await ownPostgres()
    // Also where it is there.
    for (let n = 0; n < 2; n++) await engine.pool.query(schemaSql({ schema: engine.schema }))
  })
  afterAll(() => engine[Symbol.asyncDispose]())
  const keep = (name: string, text: string) =>
    engine.pool.query(`INSERT INTO ${engine.schema}.merchant_gateway_ledger VALUES ($1, 1, $2, now())`, [
      name,
      text,
    ])
  const ledgerOf = async (name: string) => {
    const { rows } = await engine.pool.query(
      `SELECT text FROM ${engine.schema}.merchant_gateway_ledger WHERE key = $1`,
      [name],
    )
    return JSON.parse(rows[0]?.text ?? '{}')
  }

  test('is shared by all that give its name, two statements a permit', async () => {
    let statements = 0
    const connection = {
      query: (text: string, values?: unknown[]) => {
        statements++
        return engine.pool.query(text, values)
      },
    }
    const make = () => postgresRateLimit({ connection, schema: engine.schema, name: 'M-1' })
    // One that begins keeps everybody waiting.
    await keep('M-1', JSON.stringify(newLedger(1, 0)))
    await expectShared(make(), make(), () => ledgerOf('M-1'))
    // On a busy machine, a response that came too late costs another.
    expect(statements).toBeLessThanOrEqual(30)
  })

  test.each(['not json', 'x'.repeat(10_000_000), JSON.stringify({ ...newLedger(1, 0), count: 1e300 })])(
    'goes on at its next ask where something else is in the place of its ledger',
    async (text) => {
      const name = `M-${text.length}`
      await keep(name, text)
      const limit = postgresRateLimit({ connection: engine.pool, schema: engine.schema, name, processes: 1 })
      await limit.acquire(never, { priority: 'customer' })
      // More than one where a busy machine came too late for the first slot.
      expect((await ledgerOf(name)).count).toBeLessThan(100)
    },
  )

  test('is read no further than a ledger may be long', async () => {
    await keep('long', 'x'.repeat(1_000_000))
    const rows: unknown[] = []
    const connection = {
      query: async (text: string, values?: unknown[]) => {
        const reply = await engine.pool.query(text, values)
        rows.push(reply.rows)
        return reply
      },
    }
    const limit = postgresRateLimit({ connection, schema: engine.schema, name: 'long' })
    await limit.acquire(never, { priority: 'customer' })
    expect(JSON.stringify(rows[0]).length).toBeLessThan(10_000)
  })

  test('loses no permit where eight ask at once', async () => {
    await keep('M-2', JSON.stringify(newLedger(1, 0)))
    const options = { connection: engine.pool, schema: engine.schema, name: 'M-2' }
    const limits = Array.from({ length: 8 }, () => postgresRateLimit(options))
    await expectNoneLost(limits, () => ledgerOf('M-2'))
  })

  test('is away while its table is missing', async () => {
    const reasons: unknown[] = []
    const ending = new AbortController()
    const limit = postgresRateLimit({
      connection: engine.pool,
      schema: 'nowhere',
      name: 'M-1',
      onStoreAway(reason) {
        reasons.push(reason)
        ending.abort('enough')
      },
    })
    await expect(limit.acquire(ending.signal, { priority: 'customer' })).rejects.toBe('enough')
    expect(String(reasons)).toContain('nowhere')
  })
})

describeWith('postgres', 'the tables', () => {
  test('are made by eight processes that start together', async () => {
    for (let n = 0; n < 5; n++) {
      await using engine = await ownPostgres()
      const clients = Array.from({ length: 8 }, () => new pg.Client({ connectionString: databaseUrl }))
      try {
        await Promise.all(clients.map((client) => client.connect()))
        await Promise.all(clients.map((client) => client.query(schemaSql({ schema: engine.schema }))))
      } finally {
        await Promise.all(clients.map((client) => client.end()))
      }
    }
  })
})
