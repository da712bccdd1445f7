import { Client } from 'pg'
import { expect, test } from 'vitest'
import { databaseUrl, describeWith } from '../../support/engines.js'
import { isOver, payoutTests } from './set-up.js'
import { collect, payout, payouts, until } from './support.js'

async function merchantConnection() {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('CREATE TEMPORARY TABLE withdrawals (id text PRIMARY KEY)')
  return { client, [Symbol.asyncDispose]: () => client.end() }
}

describeWith('postgres', "payouts in the merchant's own transaction", () => {
  const setUp = payoutTests('postgres')

  test('are in the queue when it commits, with what else it did', async () => {
    const { queue, work, sandbox } = await setUp()
    await using merchant = await merchantConnection()
    const { client } = merchant
    await work()
    await client.query('BEGIN')
    await client.query("INSERT INTO withdrawals VALUES ('payout-1')")
    expect(await queue.addAll(payouts(3), { transaction: client })).toEqual({
      given: 3,
      added: 3,
      differing: [],
    })
    const { rows } = await client.query('SELECT id FROM withdrawals')
    expect(rows).toEqual([{ id: 'payout-1' }])
    expect((await queue.progress()).total).toBe(0)
    await client.query('COMMIT')
    await until(async () => (await queue.progress()).done === 3)
    expect(sandbox.payouts.size).toBe(3)
  })

  test('never were in the queue when it rolls back', async () => {
    const { queue } = await setUp()
    await using merchant = await merchantConnection()
    const { client } = merchant
    await client.query('BEGIN')
    await client.query("INSERT INTO withdrawals VALUES ('payout-1')")
    await queue.add(payout(1), { transaction: client })
    await client.query('ROLLBACK')
    expect((await client.query('SELECT id FROM withdrawals')).rows).toEqual([])
    expect(await collect(queue.report())).toEqual([])
    expect(await queue.add(payout(1))).toMatchObject({ added: 1 })
  })

  test('leave the search path of the connection as it was', async () => {
    const { queue } = await setUp()
    await using merchant = await merchantConnection()
    const { client } = merchant
    const path = async () =>
      (await client.query("SELECT current_setting('search_path') AS path")).rows[0]?.path
    const before = await path()
    await client.query('BEGIN')
    await queue.add(payout(1), { transaction: client })
    expect(await path()).toBe(before)
    await client.query('COMMIT')
    expect(await path()).toBe(before)
    expect(await isOver(queue)).toBe(false)
  })

  test('are refused on a connection without a transaction, and nothing is queued', async () => {
    const { queue } = await setUp()
    await using merchant = await merchantConnection()
    const adding = queue.add(payout(1), { transaction: merchant.client })
    await expect(adding).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('BEGIN'),
    })
    expect((await queue.progress()).total).toBe(0)
  })
})

describeWith('redis', 'a transaction over Redis', () => {
  const setUp = payoutTests('redis')

  test('is refused, with the way that there is', async () => {
    const { queue } = await setUp()
    const transaction = { query: async () => ({ rows: [] }) }
    await expect(queue.add(payout(1), { transaction })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('write a row in your transaction'),
    })
  })
})
