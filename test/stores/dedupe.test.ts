import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { DedupeStore } from '../../src/callbacks/index.js'
import { postgresDedupe, schemaSql } from '../../src/stores/postgres/index.js'
import { redisDedupe } from '../../src/stores/redis/index.js'
import { describeWith, ownPostgres, ownRedis } from '../support/engines.js'

const refusal = 'that this package has not written'
const success = { status: 'SUCCESS', final: true }

/** Of both engines. @param make one of a merchant, as each of its processes has one */
function testDedupe(make: (merchant?: string) => DedupeStore): void {
  test('remembers what was dealt with last, for each merchant', async () => {
    const [north, south] = [make('north'), make('south')]
    expect(await north.get('payin:order-1')).toBeUndefined()
    await north.set('payin:order-1', { status: 'PENDING', final: false })
    await north.set('payin:order-1', success)
    await south.set('payin:order-1', { status: undefined, final: false })
    expect(await north.get('payin:order-1')).toEqual(success)
    expect(await south.get('payin:order-1')).toEqual({ status: undefined, final: false })
  })

  test('refuses a status that is no short word', async () => {
    const seen = make()
    await seen.set('payin:order-2', { status: 'S'.repeat(65), final: true })
    await expect(seen.get('payin:order-2')).rejects.toThrow(refusal)
  })

  test('counts status requests of each payment, beside what was dealt with', async () => {
    const [one, other] = [make(), make()]
    expect([await one.count?.('payin:order-3'), await other.count?.('payin:order-3')]).toEqual([1, 2])
    expect(await make('another').count?.('payin:order-3')).toBe(1)
    expect(await one.get('payin:order-3')).toBeUndefined()
    await one.set('payin:order-3', { ...success, requestNumber: 2 })
    expect(await other.get('payin:order-3')).toEqual({ ...success, requestNumber: 2 })
    expect(await other.count?.('payin:order-3')).toBe(3)
    await one.set('payin:order-3', success)
    expect(await other.get('payin:order-3')).toEqual(success)
  })

  test('lets one claim a payment until its time is over or it ends the claim', async () => {
    const [one, other] = [make(), make()]
    const claimed = [
      await one.claim?.('payin:order-4', 3, 5000),
      await other.claim?.('payin:order-4', 5, 5000),
    ]
    expect(claimed).toEqual([3, 3])
    await other.claim?.('payin:order-4', 5, 0)
    expect(await other.claim?.('payin:order-4', 5, 5000)).toBe(3)
    await one.claim?.('payin:order-4', 3, 0)
    expect(await other.claim?.('payin:order-4', 5, 1)).toBe(5)
    await vi.waitFor(async () => expect(await one.claim?.('payin:order-4', 6, 1)).toBe(6))
  })
}

describeWith('redis', 'redisDedupe', () => {
  let own: ReturnType<typeof ownRedis>
  beforeAll(() => {
    own = ownRedis()
  })
  afterAll(() => own[Symbol.asyncDispose]())
  const make = (merchant = '') => redisDedupe({ connection: own.redis, prefix: own.prefix + merchant })
  testDedupe(make)

  test('keeps all of a payment in one place for 30 days, and a claim no longer than it is for', async () => {
    const seen = make()
    await seen.count?.('payin:order-5')
    await seen.set('payin:order-5', { ...success, requestNumber: 1 })
    expect(await own.redis.keys(`${own.prefix}:seen*order-5`)).toHaveLength(1)
    const leftMs = await own.redis.pttl(`${own.prefix}:seen:payin:order-5`)
    expect(leftMs).toBeGreaterThan(29 * 86_400_000)
    expect(leftMs).toBeLessThanOrEqual(30 * 86_400_000)
    await seen.claim?.('payin:order-5', 1, 5000)
    expect(await own.redis.pttl(`${own.prefix}:seen:payin:order-5:claim`)).toBeLessThanOrEqual(5000)
  })

  test.each([
    '',
    'null',
    '[]',
    '{"final":1}',
    '{"status":7,"final":true}',
    '{',
    JSON.stringify({ ...success, more: 'x'.repeat(1000) }),
  ])('refuses %j, and writes over it', async (entry) => {
    await own.redis.hset(`${own.prefix}:seen:payin:odd`, 'seen', entry)
    await expect(make().get('payin:odd')).rejects.toThrow(refusal)
    await make().set('payin:odd', success)
    expect(await make().get('payin:odd')).toEqual(success)
  })

  test('an entry of 10 MB is refused, and nothing of it is read', async () => {
    await own.redis.hset(`${own.prefix}:seen:payin:long`, 'seen', 'x'.repeat(10_000_000))
    const replies: unknown[] = []
    const connection = {
      call: async (command: string, ...args: (string | Buffer)[]) => {
        const reply = await own.redis.call(command, ...args)
        replies.push(reply)
        return reply
      },
    }
    await expect(redisDedupe({ connection, prefix: own.prefix }).get('payin:long')).rejects.toThrow(refusal)
    expect(replies).toEqual([''])
  })
})

describeWith('postgres', 'postgresDedupe', () => {
  let own: Awaited<ReturnType<typeof ownPostgres>>
  beforeAll(async () => {
    own = await ownPostgres()
    await own.pool.query(schemaSql({ schema: own.schema }))
  })
  afterAll(() => own[Symbol.asyncDispose]())
  testDedupe((merchant) => postgresDedupe({ connection: own.pool, schema: own.schema, merchant }))

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
