import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { GatewayClient } from '../../src/index.js'
import { schemaSql, sharedStores as sharedByPostgres } from '../../src/stores/postgres/index.js'
import { sharedStores as sharedByRedis } from '../../src/stores/redis/index.js'
import { describeWith, ownPostgres, ownRedis } from '../support/engines.js'

const encryptionKeys = [randomBytes(32)]

async function ofRedis() {
  const own = ownRedis()
  const stores = () =>
    sharedByRedis({ connection: own.redis, prefix: own.prefix, encryptionKeys, processes: 2 })
  return { stores, [Symbol.asyncDispose]: () => own[Symbol.asyncDispose]() }
}

async function ofPostgres() {
  const own = await ownPostgres()
  const { pool: connection, schema } = own
  await connection.query(schemaSql({ schema }))
  const stores = () => sharedByPostgres({ connection, schema, encryptionKeys, processes: 2 })
  return { stores, [Symbol.asyncDispose]: () => own[Symbol.asyncDispose]() }
}

// Each waits for its turns of a budget.
describe.concurrent('over each engine', () => {
  for (const [engine, open] of [
    ['redis', ofRedis],
    ['postgres', ofPostgres],
  ] as const) {
    describeWith(engine, `what processes share by ${engine}, in one call`, () => {
      test('is one token and one record of what was dealt with for a merchant, and none of it for another', async () => {
        await using own = await open()
        await using sandbox = createSandbox({ mistakes: 'note' })
        const clientOf = (merchantCode: string) => {
          const { seen, ...stores } = own.stores()
          return { seen, client: new GatewayClient({ ...sandbox.clientOptions(), ...stores, merchantCode }) }
        }
        const { merchantCode } = sandbox.clientOptions()
        const [one, two, other] = [clientOf(merchantCode), clientOf(merchantCode), clientOf('ANOTHER')]
        await one.client.balances.list()
        await two.client.balances.list()
        const mints = () => sandbox.requests.filter(({ path }) => path.endsWith('/auth-tokens')).length
        expect(mints()).toBe(1)
        await other.client.balances.list().catch(() => undefined)
        // Refused, and asked for by itself: it has found nobody's.
        expect(mints()).toBeGreaterThan(1)
        await one.seen.set(`${one.client.account}:payin:a`, { status: 'SUCCESS', final: true })
        expect(await two.seen.get(`${two.client.account}:payin:a`)).toMatchObject({ status: 'SUCCESS' })
        expect((await other.seen.get(`${other.client.account}:payin:a`)) ?? undefined).toBeUndefined()
        for (const { client } of [one, two, other]) await client.close()
      })
    })
  }
})

test('stores that are shared refuse a wrong option by its name', async () => {
  for (const sharedStores of [sharedByRedis, sharedByPostgres]) {
    expect(() => Reflect.apply(sharedStores, undefined, [undefined])).toThrow('connection')
    const call = { call: async () => null, query: async () => ({ rows: [] }) }
    for (const [wrong, name] of [
      [{}, 'encryptionKeys'],
      [{ encryptionKeys, processes: 0 }, 'processes'],
      [{ encryptionKeys, proceses: 2 }, 'proceses'],
    ] as const) {
      expect(() => Reflect.apply(sharedStores, undefined, [{ connection: call, ...wrong }])).toThrow(name)
    }
  }
})
