import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { redisDedupe } from '../../../src/stores/redis/index.js'
import { describeWith, ownRedis } from '../../support/engines.js'

describeWith('redis', 'redisDedupe', () => {
  let own: ReturnType<typeof ownRedis>
  beforeAll(() => {
    own = ownRedis()
  })
  afterAll(() => own[Symbol.asyncDispose]())

  test('remembers what was dealt with last, and until when', async () => {
    const seen = redisDedupe({ connection: own.redis, prefix: own.prefix })
    expect(await seen.get('payin:order-1')).toBeUndefined()
    await seen.set('payin:order-1', { status: 'PENDING', final: false })
    await seen.set('payin:order-1', { status: 'SUCCESS', final: true })
    await seen.set('payin:order-2', { status: undefined, final: false })
    expect(await seen.get('payin:order-1')).toEqual({ status: 'SUCCESS', final: true })
    expect(await seen.get('payin:order-2')).toEqual({ status: undefined, final: false })
    const leftMs = await own.redis.pttl(`${own.prefix}:seen:payin:order-1`)
    expect(leftMs).toBeGreaterThan(29 * 86_400_000)
    expect(leftMs).toBeLessThanOrEqual(30 * 86_400_000)
  })

  test('counts status requests of each payment, beside what was dealt with and for as long', async () => {
    const [one, other] = [0, 1].map(() => redisDedupe({ connection: own.redis, prefix: own.prefix }))
    const counted = [await one?.count?.('payin:order-3'), await other?.count?.('payin:order-3')]
    expect(counted).toEqual([1, 2])
    await one?.set('payin:order-3', { status: 'SUCCESS', final: true, requestNumber: 2 })
    expect(await other?.get('payin:order-3')).toEqual({ status: 'SUCCESS', final: true, requestNumber: 2 })
    expect(await other?.count?.('payin:order-3')).toBe(3)
    expect(await own.redis.keys(`${own.prefix}:seen*order-3`)).toHaveLength(1)
    expect(await own.redis.pttl(`${own.prefix}:seen:payin:order-3`)).toBeGreaterThan(29 * 86_400_000)
  })

  test('lets one claim a payment until its time is over or it ends the claim', async () => {
    const [one, other] = [0, 1].map(() => redisDedupe({ connection: own.redis, prefix: own.prefix }))
    expect([
      await one?.claim?.('payin:order-4', 3, 5000),
      await other?.claim?.('payin:order-4', 5, 5000),
    ]).toEqual([3, 3])
    expect(await own.redis.pttl(`${own.prefix}:seen:payin:order-4:claim`)).toBeLessThanOrEqual(5000)
    await other?.claim?.('payin:order-4', 5, 0)
    expect(await other?.claim?.('payin:order-4', 5, 5000)).toBe(3)
    await one?.claim?.('payin:order-4', 3, 0)
    expect(await other?.claim?.('payin:order-4', 5, 1)).toBe(5)
    await vi.waitFor(async () => expect(await one?.claim?.('payin:order-4', 6, 1)).toBe(6))
  })

  test.each([
    '',
    'null',
    '[]',
    '{"final":1}',
    '{"status":7,"final":true}',
    '{',
    JSON.stringify({ status: 'S'.repeat(65), final: true }),
    JSON.stringify({ status: 'SUCCESS', final: true, more: 'x'.repeat(1000) }),
  ])('refuses %j, and writes over it', async (entry) => {
    const seen = redisDedupe({ connection: own.redis, prefix: own.prefix })
    await own.redis.hset(`${own.prefix}:seen:payin:odd`, 'seen', entry)
    await expect(seen.get('payin:odd')).rejects.toThrow('that this package has not written')
    await seen.set('payin:odd', { status: 'SUCCESS', final: true })
    expect(await seen.get('payin:odd')).toEqual({ status: 'SUCCESS', final: true })
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
    const seen = redisDedupe({ connection, prefix: own.prefix })
    await expect(seen.get('payin:long')).rejects.toThrow('that this package has not written')
    expect(replies).toEqual([''])
  })
})
