import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { postgresDedupe, schemaSql } from '../../../src/stores/postgres/index.js'
import { describeWith, ownPostgres } from '../../support/engines.js'

describeWith('postgres', 'postgresDedupe', () => {
  let own: Awaited<ReturnType<typeof ownPostgres>>
  beforeAll(async () => {
    own = await ownPostgres()
    await own.pool.query(schemaSql({ schema: own.schema }))
  })
  afterAll(() => own[Symbol.asyncDispose]())

  test('remembers what was dealt with last, for each merchant', async () => {
    const { pool: connection, schema } = own
    const north = postgresDedupe({ connection, schema, merchant: 'M-NORTH' })
    const south = postgresDedupe({ connection, schema, merchant: 'M-SOUTH' })
    expect(await north.get('payin:order-1')).toBeUndefined()
    await north.set('payin:order-1', { status: 'PENDING', final: false })
    await north.set('payin:order-1', { status: 'SUCCESS', final: true })
    await south.set('payin:order-1', { status: undefined, final: false })
    expect(await north.get('payin:order-1')).toEqual({ status: 'SUCCESS', final: true })
    expect(await south.get('payin:order-1')).toEqual({ status: undefined, final: false })
  })

  test('refuses a status that is no short word', async () => {
    const { pool: connection, schema } = own
    const seen = postgresDedupe({ connection, schema })
    await seen.set('payin:order-3', { status: 'S'.repeat(65), final: true })
    await expect(seen.get('payin:order-3')).rejects.toThrow('that this package has not written')
  })

  test('lets one claim a payment until its time is over or it ends the claim', async () => {
    const { pool: connection, schema } = own
    const [one, other] = [0, 1].map(() => postgresDedupe({ connection, schema }))
    expect([
      await one?.claim?.('payin:order-4', 3, 5000),
      await other?.claim?.('payin:order-4', 5, 5000),
    ]).toEqual([3, 3])
    await other?.claim?.('payin:order-4', 5, 0)
    expect(await other?.claim?.('payin:order-4', 5, 5000)).toBe(3)
    await one?.claim?.('payin:order-4', 3, 0)
    expect(await other?.claim?.('payin:order-4', 5, 1)).toBe(5)
    await vi.waitFor(async () => expect(await one?.claim?.('payin:order-4', 6, 1)).toBe(6))
  })

  test('counts status requests of each payment, beside what was dealt with', async () => {
    const { pool: connection, schema } = own
    const [one, other] = [0, 1].map(() => postgresDedupe({ connection, schema }))
    expect([await one?.count?.('payin:order-2'), await other?.count?.('payin:order-2')]).toEqual([1, 2])
    expect(await postgresDedupe({ connection, schema, merchant: 'M-2' }).count?.('payin:order-2')).toBe(1)
    expect(await one?.get('payin:order-2')).toBeUndefined()
    await one?.set('payin:order-2', { status: 'SUCCESS', final: true, requestNumber: 2 })
    expect(await other?.get('payin:order-2')).toEqual({ status: 'SUCCESS', final: true, requestNumber: 2 })
    expect(await other?.count?.('payin:order-2')).toBe(3)
    await one?.set('payin:order-2', { status: 'SUCCESS', final: true })
    expect(await other?.get('payin:order-2')).toEqual({ status: 'SUCCESS', final: true })
  })

  test('counts anew in a table whose numbers were those of one sequence, which say nothing of these', async () => {
    const { pool: connection } = own
    const schema = `${own.schema}_before`
    await connection.query(`CREATE SCHEMA ${schema};
      CREATE TABLE ${schema}.merchant_gateway_seen (
        merchant text NOT NULL, payment text NOT NULL, status text, final boolean NOT NULL,
        seen_at timestamptz NOT NULL DEFAULT now(), look bigint, PRIMARY KEY (merchant, payment));
      INSERT INTO ${schema}.merchant_gateway_seen VALUES ('', 'payin:order-5', 'PENDING', false, now(), 5000)`)
    try {
      await connection.query(schemaSql({ schema }))
      const dedupe = postgresDedupe({ connection, schema })
      expect(await dedupe.get('payin:order-5')).toEqual({ status: 'PENDING', final: false })
      expect(await dedupe.count?.('payin:order-5')).toBe(1)
      expect(await dedupe.count?.('payin:order-6')).toBe(1)
    } finally {
      await connection.query(`DROP SCHEMA ${schema} CASCADE`)
    }
  })
})
