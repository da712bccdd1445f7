import { Client } from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { paymentQueue, paymentWorker } from '../../../src/jobs/bullmq/index.js'
import { databaseUrl, describeWith, ownName, redisUrl } from '../../support/engines.js'
import { until } from './support.js'

const client = {
  account: 'nobody',
  deriveKey: () => Buffer.alloc(32, 1),
  payouts: { create: async () => Promise.reject(), retrieve: async () => Promise.reject() },
}

describe('the options of queue and worker', () => {
  test.each([
    [{}, 'connection'],
    [{ connection: 'mysql://user:password-canary@host' }, 'connection'],
    [{ connection: { redis: 'postgres://user:password-canary@host' } }, 'connection.redis'],
    [{ connection: { postgres: 'postgres://x', schema: 'a"b' } }, 'connection.schema'],
    [{ connection: { postgres: { query: () => undefined } } }, 'connection.postgres'],
    [{ connection: { mongo: 'x' } }, 'connection'],
    [{ connection: redisUrl, encryptionKeys: ['password-canary'] }, 'encryptionKeys'],
    [{ connection: redisUrl, name: 'a:b' }, 'name'],
    [{ connection: redisUrl, prefix: 'a:b' }, 'prefix'],
    [{ connection: redisUrl, holds: 'all' }, 'holds'],
    [{ connection: redisUrl, concurency: 1 }, 'concurency'],
  ])('are refused at the door: %o', async (options, option) => {
    const opening = Reflect.apply(paymentQueue, undefined, [client, 'payin', options])
    await expect(opening).rejects.toMatchObject({ code: 'configuration', option })
    await expect(opening).rejects.not.toThrow('password-canary')
  })

  test.each([
    [undefined, 'payin', 'client'],
    [{}, 'payin', 'client'],
    [client, 'payment', 'kind'],
    [{ ...client, deriveKey: () => undefined }, 'payout', 'encryptionKeys'],
  ])('whose payments they are is refused at the door: %o, %s', async (owner, kind, option) => {
    for (const open of [paymentQueue, paymentWorker]) {
      const opening = Reflect.apply(open, undefined, [owner, kind, { connection: redisUrl }])
      await expect(opening).rejects.toMatchObject({ code: 'configuration', option })
    }
  })

  test.each([
    [{ connection: redisUrl, concurrency: 0 }, 'concurrency'],
    [{ connection: redisUrl, lockMs: 10 }, 'lockMs'],
    [{ connection: redisUrl, job: { firstPollMs: 0 } }, 'firstPollMs'],
  ])('of a worker are refused at the door: %o', async (options, option) => {
    await expect(paymentWorker(client, 'payout', options)).rejects.toMatchObject({
      code: 'configuration',
      option,
    })
  })

  test('a store that does not answer is an error within the time, and nothing was queued', async () => {
    const connection = 'redis://:password-canary@127.0.0.1:1'
    const opening = paymentQueue(client, 'payout', { connection, connectTimeoutMs: 200 })
    await expect(opening).rejects.toMatchObject({
      code: 'connection',
      message: expect.stringContaining('nothing was queued or sent'),
    })
    await expect(
      paymentWorker(client, 'payout', { connection, connectTimeoutMs: 200 }),
    ).rejects.toMatchObject({
      code: 'connection',
    })
  })

  test('without bullmq the error names what to install', async () => {
    vi.doMock('bullmq', () => {
      throw new Error('Cannot find package')
    })
    try {
      await expect(paymentQueue(client, 'payout', { connection: redisUrl })).rejects.toMatchObject({
        code: 'configuration',
        message: expect.stringContaining('install bullmq 6.7'),
      })
    } finally {
      vi.doUnmock('bullmq')
    }
  })
})

describeWith('postgres', "BullMQ's tables on PostgreSQL", () => {
  test('are checked at the start, made when that is said, and then there for all', async () => {
    const schema = ownName()
    const connection = { postgres: databaseUrl, schema }
    await expect(paymentQueue(client, 'payout', { connection })).rejects.toMatchObject({
      code: 'configuration',
      option: 'migrate',
      message: expect.stringContaining('migrate: true'),
    })
    await expect(paymentWorker(client, 'payout', { connection })).rejects.toMatchObject({ option: 'migrate' })
    await (await paymentQueue(client, 'payout', { connection, migrate: true })).close()
    await using queue = await paymentQueue(client, 'payout', { connection })
    await until(async () => (await queue.progress()).total === 0)
    const admin = new Client({ connectionString: databaseUrl })
    await admin.connect()
    await admin.query(`DROP SCHEMA "${schema}" CASCADE`)
    await admin.end()
  })
})
