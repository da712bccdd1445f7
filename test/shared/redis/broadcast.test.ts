import { once } from 'node:events'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { CalledBack } from '../../../src/callbacks/index.js'
import { redisBroadcast } from '../../../src/shared/redis/index.js'
import { describeWith, ownRedis, redisUrl } from '../../support/engines.js'

const payment: CalledBack = { kind: 'payin', id: 'order 1' }

describeWith('redis', 'redisBroadcast', () => {
  let own: ReturnType<typeof ownRedis>
  beforeAll(() => {
    own = ownRedis()
  })
  afterAll(() => own[Symbol.asyncDispose]())
  const listening = (n: number) =>
    vi.waitFor(async () =>
      expect(await own.redis.pubsub('NUMSUB', `${own.prefix}:callbacks`)).toEqual([expect.any(String), n]),
    )

  test('tells the others, over ioredis and node-redis, and not itself', async () => {
    const subscriber = own.redis.duplicate()
    const [connection, nodeSubscriber] = [createClient({ url: redisUrl }), createClient({ url: redisUrl })]
    await Promise.all([connection.connect(), nodeSubscriber.connect()])
    const over = [
      redisBroadcast({ connection: own.redis, subscriber, prefix: own.prefix }),
      redisBroadcast({ connection, subscriber: nodeSubscriber, prefix: own.prefix }),
    ] as const
    const heard = over.map((broadcast) => {
      const payments: CalledBack[] = []
      broadcast.subscribe((one) => payments.push(one))
      return payments
    })
    await listening(2)
    await over[0].publish(payment)
    await vi.waitFor(() => expect(heard).toEqual([[], [payment]]))
    await over[1].publish({ kind: 'payout', id: 'w-1' })
    await vi.waitFor(() => expect(heard).toEqual([[{ kind: 'payout', id: 'w-1' }], [payment]]))
    await own.redis.publish(`${own.prefix}:callbacks`, 'anything')
    await Promise.all(over.map((one) => one.close()))
    await listening(0)
    subscriber.disconnect()
    connection.destroy()
    nodeSubscriber.destroy()
  })

  test('hears again when its connection was cut', async () => {
    const subscriber = new Redis(redisUrl, { retryStrategy: () => 10 })
    subscriber.on('error', () => {})
    const broadcast = redisBroadcast({ connection: own.redis, subscriber, prefix: own.prefix })
    const other = redisBroadcast({
      connection: own.redis,
      subscriber: own.redis.duplicate({ lazyConnect: true }),
      prefix: own.prefix,
    })
    const heard: CalledBack[] = []
    broadcast.subscribe((one) => heard.push(one))
    await listening(1)
    const cut = once(subscriber, 'close')
    subscriber.disconnect(true)
    await cut
    await vi.waitFor(async () => {
      await other.publish(payment)
      expect(heard[0]).toEqual(payment)
    })
    await Promise.all([broadcast.close(), broadcast.close(), other.close()])
    subscriber.disconnect()
  })

  test.each([
    ['ioredis', async () => own.redis.duplicate()],
    ['node-redis', async () => createClient({ url: redisUrl }).connect()],
  ])('over one subscriber of %s there may be a broadcast for each of many merchants', async (_, connect) => {
    const subscriber = await connect()
    const merchants = Array.from({ length: 100 }, (_, n) => `${own.prefix}:${n}`)
    const broadcastOf = (prefix: string, one = subscriber) =>
      redisBroadcast({ connection: own.redis, subscriber: one, prefix })
    const broadcasts = merchants.map((prefix) => broadcastOf(prefix))
    const heard: string[] = []
    for (const [n, broadcast] of broadcasts.entries()) {
      broadcast.subscribe(({ id }) => heard.push(`${n} ${id}`))
    }
    const subscribed = async (prefix = '') => (await own.redis.pubsub('NUMSUB', `${prefix}:callbacks`))[1]
    await vi.waitFor(async () => expect(await subscribed(merchants[99])).toBe(1))
    // 11 would be a warning of the process, and each costs time with every message of any merchant.
    if (subscriber instanceof Redis) expect(subscriber.listenerCount('message')).toBe(1)

    const sameMerchant = broadcastOf(merchants[7] ?? '')
    sameMerchant.subscribe(() => undefined)
    await sameMerchant.close()
    for (const n of [3, 7]) {
      await broadcastOf(merchants[n] ?? '', own.redis.duplicate({ lazyConnect: true })).publish(payment)
    }
    await vi.waitFor(() => expect(heard).toEqual(['3 order 1', '7 order 1']))
    await Promise.all(broadcasts.map((broadcast) => broadcast.close()))
    expect(await subscribed(merchants[7])).toBe(0)
    if (subscriber instanceof Redis) expect(subscriber.listenerCount('message')).toBe(0)
    if (subscriber instanceof Redis) subscriber.disconnect()
    else subscriber.destroy()
  })

  test('refuses the connection itself as its subscriber', () => {
    expect(() => redisBroadcast({ connection: own.redis, subscriber: own.redis })).toThrow(
      'subscriber must be another client than connection, such as connection.duplicate().',
    )
  })
})
