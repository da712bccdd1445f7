import * as bullmq from 'bullmq'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openQueue } from '../../../src/jobs/bullmq/open-queue.js'
import { readQueueOptions } from '../../../src/jobs/bullmq/read-options.js'
import { databaseUrl, describeWith } from '../../support/engines.js'
import { type OwnStore, ownStore, until } from './support.js'

describeWith('postgres', 'a delayed job that is woken', () => {
  let store: OwnStore
  const database = new Client({ connectionString: databaseUrl })
  beforeAll(async () => {
    store = await ownStore('postgres')
    await database.connect()
  })
  afterAll(async () => {
    await database.end()
    await store[Symbol.asyncDispose]()
  })

  test.each([
    ['is left to the worker that has begun meanwhile', 'COMMIT', 'active'],
    ['is woken when that worker could not begin', 'ROLLBACK', 'waiting'],
  ])('%s', async (_, end, state) => {
    const settings = readQueueOptions(store.options)
    const queue = openQueue(bullmq, `promote-${end}`, settings)
    const [job] = await queue.addBulk([{ name: 'one', data: {}, opts: { jobId: 'a-job', delay: 3_600_000 } }])
    if (job === undefined || settings.engine.store !== 'postgres') throw new Error('no job')
    // As BullMQ's worker takes it, up to its COMMIT.
    const begin = `UPDATE "${settings.engine.schema}".job SET state = 'active' WHERE queue = $1 AND id = $2`
    await database.query('BEGIN')
    await database.query(begin, [`promote-${end}`, 'a-job'])
    const promoted = job.promote().then(
      () => true,
      () => false,
    )
    await until(async () => {
      const waiting = 'SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))'
      return (await database.query(waiting)).rowCount === 1
    })
    await database.query(end)
    expect(await promoted).toBe(end === 'ROLLBACK')
    expect(await queue.getJobState('a-job')).toBe(state)
    await queue.close()
  })
})
