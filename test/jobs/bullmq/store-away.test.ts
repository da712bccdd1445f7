import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { createClient, TimeoutError } from 'redis'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createSandbox } from '../../../packages/sandbox/src/index.js'
import { GatewayClient } from '../../../src/index.js'
import { paymentQueue, paymentWorker } from '../../../src/jobs/bullmq/index.js'
import { jobIdOf } from '../../../src/jobs/bullmq/job-id.js'
import { loadBullmq } from '../../../src/jobs/bullmq/load-bullmq.js'
import { openQueue, scopedName, soonBack } from '../../../src/jobs/bullmq/open-queue.js'
import { readQueueOptions } from '../../../src/jobs/bullmq/read-options.js'
import { isStoreAway } from '../../../src/jobs/bullmq/store-away.js'
import { databaseUrl, describeWith, redisUrl } from '../../support/engines.js'
import { type OwnStore, ownStore, payout } from './support.js'

const client = { account: 'nobody', deriveKey: () => Buffer.alloc(32, 1) }
const open: AsyncDisposable[] = []

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]()
})

/** A way to a store that can be cut. */
function wayTo(url: string) {
  const { hostname, port, protocol } = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port || (protocol === 'redis:' ? 6379 : 5432)), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
  })
  const way = {
    url: '',
    async open(at = 0) {
      server.listen(at, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      const there = new URL(url)
      there.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
      way.url = there.href
    },
    cut() {
      server.close()
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    [Symbol.asyncDispose]: async () => way.cut(),
  }
  open.push(way)
  return way
}

for (const engine of ['redis', 'postgres'] as const) {
  describeWith(engine, `a queue whose store goes away, over ${engine}`, () => {
    async function storeBehindWay() {
      const store = await ownStore(engine)
      open.push(store)
      const way = wayTo(engine === 'redis' ? redisUrl : databaseUrl)
      await way.open()
      return { store, way }
    }

    function connectionBy(way: { readonly url: string }, { options: { connection } }: OwnStore) {
      const schema = typeof connection === 'object' && 'schema' in connection ? connection.schema : undefined
      return engine === 'redis' ? way.url : { postgres: way.url, schema }
    }

    async function through(way: { readonly url: string }, store: OwnStore) {
      const connection = connectionBy(way, store)
      const queue = await paymentQueue(client, 'payout', { ...store.options, connection })
      open.push(queue)
      return queue
    }

    test('ends each call with an error of ours, and goes on when it is there again', async () => {
      const { store, way } = await storeBehindWay()
      const queue = await through(way, store)
      expect(await queue.add(payout(1))).toMatchObject({ added: 1 })
      const { port } = new URL(way.url)
      way.cut()
      for (const call of [
        () => queue.add(payout(2)),
        () => queue.progress(),
        () => queue.wake('payout-1'),
        () => queue.retry('payout-1'),
        () => queue.refused().next(),
      ]) {
        const told = `the queue's store (${engine}) can't be reached`
        await expect(call()).rejects.toMatchObject({
          code: 'connection',
          message: expect.stringContaining(told),
        })
      }
      await way.open(Number(port))
      const added = await vi.waitFor(() => queue.add(payout(2)), { timeout: 30_000, interval: 100 })
      expect(added).toMatchObject({ given: 1 })
      expect(await queue.progress()).toMatchObject({ total: 2 })
    })

    test('ends the call of a job in the same way, when it goes between two of a wake', async () => {
      const { store, way } = await storeBehindWay()
      await (await through(way, store)).add(payout(1))
      const settings = readQueueOptions({ ...store.options, connection: connectionBy(way, store) })
      const queue = openQueue(await loadBullmq(), scopedName(settings.name, 'payout', client), settings)
      const job = await queue.getJob(jobIdOf('payout', 'payout-1'))
      way.cut()
      await expect(job?.changePriority({ priority: 1 })).rejects.toMatchObject({ code: 'connection' })
      await queue.close()
    })

    test('can be closed while that is away', async () => {
      const { store, way } = await storeBehindWay()
      const queue = await through(way, store)
      way.cut()
      await expect(queue.progress()).rejects.toMatchObject({ code: 'connection' })
      await queue.close()
    })

    test('lets a worker be closed while that is away', async () => {
      const { store, way } = await storeBehindWay()
      const sandbox = createSandbox()
      const gateway = new GatewayClient(sandbox.clientOptions())
      open.push(sandbox, gateway)
      const errors: unknown[] = []
      const worker = await paymentWorker(gateway, 'payout', {
        ...store.options,
        connection: connectionBy(way, store),
        onError: (error) => errors.push(error),
      })
      way.cut()
      // Between two tries to connect, where ioredis never says that it has ended.
      await vi.waitFor(() => expect(errors.some(isStoreAway)).toBe(true), { timeout: 10_000, interval: 10 })
      await Promise.all([worker.close(), worker.close()])
    })

    test('that comes after it is waited for', async () => {
      const { store, way } = await storeBehindWay()
      const { port } = new URL(way.url)
      way.cut()
      if (engine === 'postgres') {
        await expect(through(way, store)).rejects.toMatchObject({ code: 'connection' })
        return
      }
      const opening = through(way, store)
      await way.open(Number(port))
      expect(await (await opening).add(payout(1))).toMatchObject({ added: 1 })
    })
  })
}

describeWith('redis', 'a client of node-redis', () => {
  test('goes on when its Redis is there again, also after a queue and a worker on it were closed', async () => {
    const store = await ownStore('redis')
    const way = wayTo(redisUrl)
    await way.open()
    const redis = createClient({ url: way.url })
    const errors: unknown[] = []
    redis.on('error', (error) => errors.push(error))
    await redis.connect()
    const sandbox = createSandbox()
    const gateway = new GatewayClient(sandbox.clientOptions())
    open.push(store, sandbox, gateway, { [Symbol.asyncDispose]: async () => redis.destroy() })
    const options = { ...store.options, connection: { redis } }
    const [queue, worker] = [
      await paymentQueue(gateway, 'payout', options),
      await paymentWorker(gateway, 'payout', options),
    ]
    await Promise.all([queue.close(), worker.close()])
    const { port } = new URL(way.url)
    way.cut()
    await vi.waitFor(() => expect(errors.length).toBeGreaterThan(1), { timeout: 10_000, interval: 10 })
    await way.open(Number(port))
    expect(await redis.ping()).toBe('PONG')
  })
})

test('Redis is connected to again every second, unless the options or the client say otherwise', () => {
  const options = soonBack({ url: 'redis://localhost' })
  const { retryStrategy } = { retryStrategy: undefined, ...options }
  expect(retryStrategy).toBeTypeOf('function')
  const own = { retryStrategy: () => 5 }
  expect(soonBack(own)).toMatchObject(own)
  const client = { connect() {} }
  expect(soonBack(client)).toBe(client)
})

describe('what a library says', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

  test.each([
    [refused, true],
    [Object.assign(new AggregateError([refused]), { code: 'ECONNREFUSED' }), true],
    [new Error("Stream isn't writeable and enableOfflineQueue options is false"), true],
    [new Error('Connection is closed.'), true],
    [new Error('Connection terminated unexpectedly'), true],
    [Object.assign(new Error('terminating connection'), { code: '57P01' }), true],
    [Object.assign(new Error('duplicate key'), { code: '23505' }), false],
    [new TimeoutError(), true],
    [new Error('job p-1 is not delayed'), false],
    ['ECONNREFUSED', false],
    [undefined, false],
  ])('%o is taken for a store that is away: %s', (error, isAway) => {
    expect(isStoreAway(error)).toBe(isAway)
  })
})
