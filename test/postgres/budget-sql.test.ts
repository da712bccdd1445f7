import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { budgetSql } from '../../src/postgres/budget-sql.js'
import { play, steps } from '../budget/random-asks.js'
import { describeWith, ownPostgres } from '../support/engines.js'

describeWith('postgres', 'the function of the budget', () => {
  let engine: Awaited<ReturnType<typeof ownPostgres>>
  beforeAll(async () => {
    engine = await ownPostgres()
    await engine.pool.query(budgetSql(engine.schema, "(ask->>'testNow')::bigint"))
  })
  afterAll(() => engine[Symbol.asyncDispose]())

  test('says what the rule says, whatever is asked', async () => {
    let runs = 0
    const statement = `SELECT "${engine.schema}".merchant_gateway_budget_ask($1, $2::jsonb) AS answer`
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const name = `run ${runs++}`
        const said = await play(given, async (ask, testNow) => {
          const { rows } = await engine.pool.query(statement, [name, JSON.stringify({ ...ask, testNow })])
          return rows[0].answer
        })
        for (const [rule, store] of said) expect(store).toEqual(rule)
      }),
      { numRuns: 40 },
    )
  })

  test('can be made again', async () => {
    await engine.pool.query(budgetSql(engine.schema, "(ask->>'testNow')::bigint"))
  })
})
