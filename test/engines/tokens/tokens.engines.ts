import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schemaSql } from '../../../src/stores/postgres/index.js'
import { databaseUrl, describeWith, ownPostgres, ownRedis, redisUrl } from '../../support/engines.js'
import { type Engine, Fleet } from './fleet.js'

/** What `test:engines` prints of it, for the figures in the guides. */
function report(line: string): void {
  process.stdout.write(`${line}\n`)
}

function provesTheSharing(engineOf: () => Engine, dump: () => Promise<string>): void {
  test('twenty processes that start together make 1 token request', async () => {
    await using fleet = await Fleet.start(engineOf(), { size: 20 })
    await fleet.all('create')
    report(`${engineOf().engine}: 20 processes start together: ${fleet.tokenRequests} token request`)
    expect(fleet.tokenRequests).toBe(1)
    expect(fleet.sandbox.payins.size).toBe(1)
    expect(await dump()).not.toMatch(/eyJ[\w-]+\./)
  })

  test('a token that the gateway refuses is replaced by 1 token request', async () => {
    await using fleet = await Fleet.start(engineOf(), { size: 10 })
    await fleet.all('create')
    await fleet.sandbox.revokeTokens()
    await fleet.all('look')
    report(`${engineOf().engine}: 10 processes, token revoked: ${fleet.tokenRequests - 1} more token request`)
    expect(fleet.tokenRequests).toBe(2)
  })

  test('tokens of ten seconds are replaced once for all, and none is used past its end', async () => {
    await using fleet = await Fleet.start(engineOf(), { size: 6, validitySecs: 10 })
    await fleet.all('create')
    const endAt = performance.now() + 25_000
    while (performance.now() < endAt) {
      await fleet.all('look')
      await sleep(200)
    }
    const { tokenRequests, refused } = fleet
    report(
      `${engineOf().engine}: 6 processes, clocks 30 s off, tokens of 10 s for 25 s: ${tokenRequests} token requests, ${refused} refused`,
    )
    expect(refused).toBe(0)
    expect(tokenRequests).toBeLessThanOrEqual(5)
  })
}

describeWith('redis', 'over Redis', () => {
  let own: ReturnType<typeof ownRedis>
  beforeAll(() => {
    own = ownRedis()
  })
  afterAll(() => own[Symbol.asyncDispose]())
  provesTheSharing(
    () => ({ engine: 'redis', url: redisUrl, place: own.prefix }),
    async () => {
      const keys = await own.keys()
      expect(keys.length).toBeGreaterThan(0)
      return JSON.stringify([keys, await own.redis.mget(keys)])
    },
  )
})

describeWith('postgres', 'over PostgreSQL', () => {
  let own: Awaited<ReturnType<typeof ownPostgres>>
  beforeAll(async () => {
    own = await ownPostgres()
    await own.pool.query(schemaSql({ schema: own.schema }))
  })
  afterAll(() => own[Symbol.asyncDispose]())
  provesTheSharing(
    () => ({ engine: 'postgres', url: databaseUrl, place: own.schema }),
    async () => {
      const { rows } = await own.pool.query(`SELECT * FROM ${own.schema}.merchant_gateway_tokens`)
      expect(rows.length).toBeGreaterThan(0)
      return JSON.stringify(rows)
    },
  )
})
