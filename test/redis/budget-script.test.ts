import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { newLedger } from '../../src/budget/reservation.js'
import { budgetScript } from '../../src/redis/budget-script.js'
import { redisScript, run } from '../../src/redis/commands.js'
import { askOf } from '../budget/asks.js'
import { play, steps } from '../budget/random-asks.js'
import { describeWith, ownRedis } from '../support/engines.js'

describeWith('redis', 'the script of the budget', () => {
  const engine = ownRedis()
  afterAll(() => engine[Symbol.asyncDispose]())
  const script = redisScript(budgetScript('local now = tonumber(ARGV[2])'))

  const ledger = newLedger(1, 0)
  test.each([
    'not json',
    '{"grants":{}}',
    '[]',
    'null',
    '{"slots":1,"usedBy":{},"grants":{},"served":0}',
    '{"slots":[],"usedBy":[],"grants":[],"served":0}',
    JSON.stringify({ ...ledger, slots: ['soon'], usedBy: [1], grants: [1] }),
    JSON.stringify({ ...ledger, slots: [1], usedBy: [null], grants: [1] }),
    JSON.stringify({ ...ledger, slots: [1] }),
    ...Object.keys(ledger).map((field) => JSON.stringify({ ...ledger, [field]: null })),
  ])('begins anew where %s is in the place of its ledger, and keeps everybody waiting', async (text) => {
    const key = `${engine.prefix}:odd`
    await engine.redis.set(key, text)
    const ask = askOf({ want: 'customer', clearingMs: 500 })
    const answer = JSON.parse(
      String(await run(engine.redis, script, [key], [JSON.stringify(ask), '1000000'])),
    )
    expect(answer).toMatchObject({ slot: 1_000_500, count: 1 })
  })

  test('begins anew where the place of its ledger holds no text at all', async () => {
    const key = `${engine.prefix}:list`
    await engine.redis.rpush(key, 'one')
    const ask = askOf({ want: 'customer', clearingMs: 500 })
    const answer = JSON.parse(
      String(await run(engine.redis, script, [key], [JSON.stringify(ask), '1000000'])),
    )
    expect(answer).toMatchObject({ slot: 1_000_500, count: 1 })
  })

  test('begins nothing where it may not read, or every process would have a ledger of its own', async () => {
    const key = `${engine.prefix}:unread`
    const name = `writer-${process.pid}`
    await engine.redis.call('ACL', 'SETUSER', name, 'on', 'nopass', '~*', '+@all', '-get')
    const writer = engine.redis.duplicate({ username: name, password: 'any' })
    try {
      const ask = [JSON.stringify(askOf({ want: 'customer' })), '1000000']
      await expect(run(writer, script, [key], ask)).rejects.toThrow(/permission|can't run/i)
      expect(await engine.redis.exists(key)).toBe(0)
    } finally {
      writer.disconnect()
      await engine.redis.call('ACL', 'DELUSER', name)
    }
  })

  test('says what the rule says, whatever is asked', async () => {
    let runs = 0
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const keys = [`${engine.prefix}:${runs++}`]
        const said = await play(given, async (ask, now) =>
          JSON.parse(String(await run(engine.redis, script, keys, [JSON.stringify(ask), String(now)]))),
        )
        for (const [rule, store] of said) expect(store).toEqual(rule)
      }),
      { numRuns: 60 },
    )
  })
})
