import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { postgresBudget, schemaSql } from '../../src/postgres/index.js'
import { describeWith, ownPostgres } from '../support/engines.js'

const never = new AbortController().signal

describeWith('postgres', 'a budget in PostgreSQL', () => {
  let engine: Awaited<ReturnType<typeof ownPostgres>>
  beforeAll(async () => {
    engine = await ownPostgres()
    // Also where it is there, and by two at once.
    for (let n = 0; n < 2; n++) await engine.pool.query(schemaSql({ schema: engine.schema }))
  })
  afterAll(() => engine[Symbol.asyncDispose]())
  /** The last ten slots of a budget that has given so many; none while it hasn't. */
  const slotsOf = async (name: string, count: number): Promise<number[]> => {
    const { rows } = await engine.pool.query(
      `SELECT unnest(slots)::float8 AS slot FROM ${engine.schema}.merchant_gateway_budget WHERE name = $1 AND count = $2`,
      [name, count],
    )
    return rows.map(({ slot }) => slot)
  }

  test('is shared by all that give its name, one statement a permit', async () => {
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
    await engine.pool.query(
      `INSERT INTO ${engine.schema}.merchant_gateway_budget (name, id) VALUES ('M-1', 1)`,
    )
    for (let n = 0; n < 10; n++) {
      await one.acquire(never, { priority: 'customer' })
      one.sent?.()
    }
    const [first] = await slotsOf('M-1', 10)
    const ending = new AbortController()
    const given = other.acquire(ending.signal, { priority: 'customer' })
    // Its slot is reserved, and not due yet.
    const eleventh = await vi.waitFor(async () => {
      const [newest, ...others] = (await slotsOf('M-1', 11)).reverse()
      expect(others).toHaveLength(9)
      return newest
    })
    expect(eleventh).toBeGreaterThanOrEqual((first ?? 0) + 1080)
    ending.abort('enough')
    await expect(given).rejects.toBe('enough')
    // On a busy machine, an answer that came too late costs another.
    expect(statements).toBeLessThanOrEqual(15)
  })

  test('is away while its function is missing', async () => {
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
