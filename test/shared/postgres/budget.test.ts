import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newLedger } from '../../../src/shared/budget/ledger.js'
import { postgresBudgetStore } from '../../../src/shared/postgres/budget.js'
import { postgresBudget, schemaSql } from '../../../src/shared/postgres/index.js'
import { databaseUrl, describeWith, ownPostgres } from '../../support/engines.js'

const never = new AbortController().signal

describeWith('postgres', 'a budget in PostgreSQL', () => {
  let engine: Awaited<ReturnType<typeof ownPostgres>>
  beforeAll(async () => {
    engine = await ownPostgres()
    // Also where it is there.
    for (let n = 0; n < 2; n++) await engine.pool.query(schemaSql({ schema: engine.schema }))
  })
  afterAll(() => engine[Symbol.asyncDispose]())
  const keep = (name: string, text: string) =>
    engine.pool.query(`INSERT INTO ${engine.schema}.merchant_gateway_ledger VALUES ($1, 1, $2)`, [name, text])
  const ledgerOf = async (name: string) => {
    const { rows } = await engine.pool.query(
      `SELECT ledger FROM ${engine.schema}.merchant_gateway_ledger WHERE name = $1`,
      [name],
    )
    return JSON.parse(rows[0]?.ledger ?? '{}')
  }

  test('is shared by all that give its name, two statements a permit', async () => {
    let statements = 0
    const connection = {
      query: (text: string, values?: unknown[]) => {
        statements++
        return engine.pool.query(text, values)
      },
    }
    const make = () => postgresBudget({ connection, schema: engine.schema, name: 'M-1' })
    const [one, other] = [make(), make()]
    // One that begins keeps everybody waiting.
    await keep('M-1', JSON.stringify(newLedger(1, 0)))
    for (let n = 0; n < 10; n++) {
      await one.acquire(never, { priority: 'customer' })
      one.sent?.()
    }
    const [first] = (await ledgerOf('M-1')).slots
    const ending = new AbortController()
    const given = other.acquire(ending.signal, { priority: 'customer' })
    // Its slot is reserved, and not due yet.
    const eleventh = await vi.waitFor(async () => {
      const { slots } = await ledgerOf('M-1')
      expect(slots).toHaveLength(11)
      return slots.at(-1)
    })
    expect(eleventh.at).toBeGreaterThanOrEqual(first.at + 1080)
    ending.abort('enough')
    await expect(given).rejects.toBe('enough')
    // On a busy machine, an answer that came too late costs another.
    expect(statements).toBeLessThanOrEqual(30)
  })

  test.each(['not json', 'x'.repeat(10_000_000), JSON.stringify({ ...newLedger(1, 0), count: 1e300 })])(
    'goes on at its next ask where something else is in the place of its ledger',
    async (text) => {
      const name = `M-${text.length}`
      await keep(name, text)
      const budget = postgresBudget({ connection: engine.pool, schema: engine.schema, name, processes: 1 })
      await budget.acquire(never, { priority: 'customer' })
      expect(await ledgerOf(name)).toMatchObject({ count: 1 })
    },
  )

  test('is read no further than a ledger may be long', async () => {
    await keep('long', 'x'.repeat(1_000_000))
    const read = await postgresBudgetStore(engine.pool, engine.schema, 'long').read(100)
    expect(read.text).toHaveLength(100)
  })

  test('changes only where nobody else has changed it', async () => {
    const store = postgresBudgetStore(engine.pool, engine.schema, 'swapped')
    for (const next of ['first', 'second']) {
      const [one, other] = [await store.read(100), await store.read(100)]
      expect(await store.swap(one, next)).toBe(true)
      expect(await store.swap(other, 'late')).toBe(false)
      expect(await store.read(100)).toMatchObject({ text: next })
    }
  })

  test('is away while its table is missing', async () => {
    const reasons: unknown[] = []
    const ending = new AbortController()
    const budget = postgresBudget({
      connection: engine.pool,
      schema: 'nowhere',
      name: 'M-1',
      onStoreAway(reason) {
        reasons.push(reason)
        ending.abort('enough')
      },
    })
    await expect(budget.acquire(ending.signal, { priority: 'customer' })).rejects.toBe('enough')
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
