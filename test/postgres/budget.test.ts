import { afterAll, beforeAll, expect, test } from 'vitest'
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
    const startedAt = performance.now()
    for (let n = 0; n < 10; n++) {
      await one.acquire(never, { priority: 'customer' })
      one.sent?.()
    }
    const ending = new AbortController()
    const given = other.acquire(ending.signal, { priority: 'customer' })
    setTimeout(() => ending.abort('enough'), 300)
    await expect(given).rejects.toBe('enough')
    expect(performance.now() - startedAt).toBeLessThan(1080)
    // On a busy machine, an answer that came too late costs another.
    expect(statements).toBeLessThanOrEqual(15)
  })

  test('is away while its function is missing', async () => {
    const reasons: unknown[] = []
    const budget = postgresBudget({
      connection: engine.pool,
      schema: 'nowhere',
      name: 'M-1',
      onStoreAway: (reason) => reasons.push(reason),
    })
    const ending = new AbortController()
    const given = budget.acquire(ending.signal, { priority: 'customer' })
    setTimeout(() => ending.abort('enough'), 200)
    await expect(given).rejects.toBe('enough')
    expect(String(reasons)).toContain('nowhere')
  })
})
