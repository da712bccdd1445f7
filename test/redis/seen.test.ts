import { afterAll, beforeAll, expect, test } from 'vitest'
import { redisSeen } from '../../src/redis/index.js'
import { describeWith, ownRedis } from '../support/engines.js'

describeWith('redis', 'redisSeen', () => {
  let own: ReturnType<typeof ownRedis>
  beforeAll(() => {
    own = ownRedis()
  })
  afterAll(() => own[Symbol.asyncDispose]())

  test('remembers what was dealt with last, and until when', async () => {
    const seen = redisSeen({ connection: own.redis, prefix: own.prefix })
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

  test.each(['', 'null', '[]', '{"final":1}', '{"status":7,"final":true}', '{'])(
    'takes %j for nothing',
    async (entry) => {
      await own.redis.set(`${own.prefix}:seen:payin:odd`, entry)
      expect(await redisSeen({ connection: own.redis, prefix: own.prefix }).get('payin:odd')).toBeUndefined()
    },
  )
})
