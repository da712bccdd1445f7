import { afterAll, beforeAll, expect, test } from 'vitest'
import { postgresSeen, schemaSql } from '../../src/postgres/index.js'
import { describeWith, ownPostgres } from '../support/engines.js'

describeWith('postgres', 'postgresSeen', () => {
  let own: Awaited<ReturnType<typeof ownPostgres>>
  beforeAll(async () => {
    own = await ownPostgres()
    await own.pool.query(schemaSql({ schema: own.schema }))
  })
  afterAll(() => own[Symbol.asyncDispose]())

  test('remembers what was dealt with last, for each merchant', async () => {
    const { pool: connection, schema } = own
    const north = postgresSeen({ connection, schema, merchant: 'M-NORTH' })
    const south = postgresSeen({ connection, schema, merchant: 'M-SOUTH' })
    expect(await north.get('payin:order-1')).toBeUndefined()
    await north.set('payin:order-1', { status: 'PENDING', final: false })
    await north.set('payin:order-1', { status: 'SUCCESS', final: true })
    await south.set('payin:order-1', { status: undefined, final: false })
    expect(await north.get('payin:order-1')).toEqual({ status: 'SUCCESS', final: true })
    expect(await south.get('payin:order-1')).toEqual({ status: undefined, final: false })
  })
})
