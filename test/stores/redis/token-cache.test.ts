import { expect, test } from 'vitest'
import { redisTokenCache } from '../../../src/stores/redis/index.js'
import { describeWith, ownRedis } from '../../support/engines.js'

describeWith('redis', 'a token cache over Redis', () => {
  test('gives back what was set, and forgets it in time', async () => {
    await using own = ownRedis()
    const cache = redisTokenCache(own.redis)
    const key = `${own.prefix}:token`
    expect(await cache.get(key)).toBeUndefined()
    await cache.set(key, 'sealed', 60_000)
    expect(await cache.get(key)).toBe('sealed')
    expect(await own.redis.pttl(key)).toBeGreaterThan(50_000)
    await cache.set(key, 'sealed anew', 1)
    await expect.poll(() => cache.get(key)).toBeUndefined()
  })
})
