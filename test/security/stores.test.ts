import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { CallbackReceiver } from '../../src/callbacks/index.js'
import { GatewayClient } from '../../src/index.js'
import { newLedger } from '../../src/stores/rate-limit/ledger.js'
import { redisDedupe, redisRateLimit } from '../../src/stores/redis/index.js'
import { describeWith, ownRedis } from '../support/engines.js'

/** What docs/security.md says of who reads the stores, and of who writes to them; of queues, test/jobs/bullmq/processor.test.ts. */
describeWith('redis', 'who has the stores', () => {
  let own: ReturnType<typeof ownRedis>
  beforeAll(() => {
    own = ownRedis()
  })
  afterAll(() => own[Symbol.asyncDispose]())

  const payin = {
    idPayin: 'order-1',
    paymentRequested: { money: { amount: 10, currencyCode: 'EUR' } },
    paymentMethod: {
      paymentMethodCode: 'VAPAY',
      account: { accountName: 'Jana Canary', accountNumber: 'CANARY-1' },
    },
  }
  const contents = async (part: string) => {
    const keys = (await own.keys()).filter((key) => key.includes(part))
    const values = await Promise.all(
      keys.map(async (key) =>
        (await own.redis.type(key)) === 'hash' ? own.redis.hgetall(key) : own.redis.get(key),
      ),
    )
    return { keys, text: JSON.stringify([keys, values]) }
  }
  const spoil = async (part: string, value: string) => {
    for (const key of (await contents(part)).keys) await own.redis.set(key, value)
  }

  test('of the shared rate limit reads no payment, and by writing nonsense stops nobody', async () => {
    await using sandbox = createSandbox({ rateLimit: false })
    await using client = new GatewayClient({
      ...sandbox.clientOptions(),
      rateLimit: redisRateLimit({ connection: own.redis, prefix: own.prefix, name: 'shop' }),
    })
    // One that begins keeps everybody waiting, which the nonsense will show.
    await own.redis.set(`${own.prefix}:ledger:{shop}`, JSON.stringify(newLedger(1, 0)))
    await client.payins.create(payin)
    const { text } = await contents(':ledger:')
    expect(text).toContain('shop')
    expect(text).not.toMatch(/order-1|canary/i)
    await spoil(':ledger:', '{"count":"many"')
    expect(await client.payins.retrieve('order-1')).toBeDefined()
  })

  test('of what was dealt with reads ids and statuses; by writing can hide a change, and never make a payment paid', async () => {
    await using sandbox = createSandbox({ rateLimit: false, payAfterMs: false })
    await using client = new GatewayClient({ ...sandbox.clientOptions(), rateLimit: false })
    const told: (string | undefined)[] = []
    const receiver = new CallbackReceiver({
      client,
      publicUrl: 'https://shop.example/callbacks',
      secrets: [randomBytes(32).toString('hex')],
      dedupe: redisDedupe({ connection: own.redis, prefix: own.prefix }),
      onPayin: ({ process }) => void told.push(process?.status),
    })
    for (const idPayin of ['order-1', 'order-2']) await client.payins.create({ ...payin, idPayin })
    const callback = (idPayin: string) => receiver.receive(receiver.urlFor({ idPayin }))
    sandbox.payins.get('order-1').pay()
    await callback('order-1')
    const { keys, text } = await contents(':seen:')
    expect(text).toMatch(/order-1.*SUCCESS/)
    expect(text).not.toMatch(/canary/i)
    const [known = ''] = keys
    const forged = known.replace('order-1', 'order-2')
    await own.redis.hset(forged, 'seen', JSON.stringify({ status: 'PENDING', final: false }))
    await callback('order-2')
    expect(told.filter((status) => status === 'SUCCESS')).toHaveLength(1)
    // And hides the change that comes.
    await own.redis.hset(forged, 'seen', JSON.stringify({ status: 'SUCCESS', final: true }))
    sandbox.payins.get('order-2').pay()
    await callback('order-2')
    expect(told.filter((status) => status === 'SUCCESS')).toHaveLength(1)
    await own.redis.del(forged)
    await callback('order-2')
    expect(told.filter((status) => status === 'SUCCESS')).toHaveLength(2)
  })
})
