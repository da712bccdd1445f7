import { setMaxListeners } from 'node:events'
import type { Queue } from 'bullmq'
import { hasMethod } from '../../client/input/own.js'
import { ConnectionError, type PaymentKind } from '../../index.js'
import { closeInTime } from './close-in-time.js'
import type { EngineConnection } from './connection.js'
import { dropConnections } from './drop-connections.js'
import { listenTo, withListener } from './listeners.js'
import type { BullMQ } from './load-bullmq.js'
import { isStoreAway, toldAway } from './store-away.js'
import type { PaymentAccount } from './types.js'

/** What of BullMQ's queue is used. */
export type EngineQueue = Pick<
  Queue,
  | 'addBulk'
  | 'pause'
  | 'resume'
  | 'isPaused'
  | 'getJob'
  | 'getJobState'
  | 'getJobCounts'
  | 'getCountsPerPriority'
  | 'getRanges'
  | 'waitUntilReady'
  | 'close'
>

/** One of its jobs. */
export type EngineJob = NonNullable<Awaited<ReturnType<EngineQueue['getJob']>>>

/** Of one kind, one merchant, one gateway, whatever else the store holds: a worker of another one never sees its payments. */
export function scopedName(name: string, kind: PaymentKind, { account }: PaymentAccount): string {
  return `${name}-${kind}-${account}`
}

/** A queue on either store, with nothing known yet of whether it is there. */
export function openQueue(
  bullmq: BullMQ,
  name: string,
  { engine, prefix }: { engine: EngineConnection; prefix: string },
): EngineQueue {
  const queue =
    engine.store === 'redis'
      ? new bullmq.Queue(
          name,
          { connection: atOnce(soonBack(withListener(bullmq, engine.connection))), prefix },
          bullmq.createRedisBackend,
        )
      : queueOnPostgres(bullmq, name, { connection: engine.connection, prefix })
  // Each call rejects by itself; without a listener the event would end the process.
  queue.on('error', () => undefined)
  const closed = new AbortController()
  // Each call listens while it is under way, and a page may make any number at once.
  setMaxListeners(0, closed.signal)
  const told = toldAway(engine.store, closed.signal)
  let closing: Promise<void> | undefined
  const close = async () => {
    try {
      await closeInTime(queue)
    } catch (error) {
      if (!isStoreAway(error)) throw error
      // It can't be told goodbye, and would be connected to again for ever.
      dropConnections(queue.getBackend())
    } finally {
      closed.abort()
    }
  }
  return {
    addBulk: told(queue.addBulk.bind(queue)),
    pause: told(queue.pause.bind(queue)),
    resume: told(queue.resume.bind(queue)),
    isPaused: told(queue.isPaused.bind(queue)),
    async getJob(jobId) {
      const job = await told(queue.getJob.bind(queue))(jobId)
      // Its own calls go to the store as well.
      return (
        job &&
        Object.assign(job, {
          changePriority: told(job.changePriority.bind(job)),
          promote: told(job.promote.bind(job)),
          retry: told(job.retry.bind(job)),
          updateData: told(job.updateData.bind(job)),
        })
      )
    },
    getJobState: told(queue.getJobState.bind(queue)),
    getJobCounts: told(queue.getJobCounts.bind(queue)),
    getCountsPerPriority: told(queue.getCountsPerPriority.bind(queue)),
    getRanges: told(queue.getRanges.bind(queue)),
    waitUntilReady: queue.waitUntilReady.bind(queue),
    close() {
      closing ??= close()
      return closing
    },
  }
}

/**
 * A page must not wait until Redis is there again, for which ioredis keeps what is asked by default. A client of the
 * merchant's own says by itself what it does.
 */
function atOnce(connection: object): object {
  if (hasMethod(connection, 'connect')) return connection
  return { enableOfflineQueue: false, maxRetriesPerRequest: 0, ...connection }
}

/** How long ioredis waits between two tries to connect. BullMQ's own goes up to 20 s, for which Redis may be back already. */
const reconnectMs = 1_000

/** The options of a connection, by which it is soon there again; a client of the merchant's own goes by its own. */
export function soonBack(connection: object): object {
  return hasMethod(connection, 'connect') ? connection : { retryStrategy: () => reconnectMs, ...connection }
}

/**
 * BullMQ's function reads the state of a job, and takes no lock before it writes another. A worker that has begun in
 * between would lose its payment to a second one, while it goes on with it.
 */
const promoteLocked = `SELECT promote(queue, id)
  FROM (SELECT queue, id FROM job WHERE queue = $1 AND id = $2 AND state = 'delayed' FOR UPDATE) AS locked`

function queueOnPostgres(
  { Queue, createPostgresBackend }: BullMQ,
  name: string,
  options: { connection: Record<string, unknown>; prefix: string },
) {
  const queue = new Queue(name, options, createPostgresBackend)
  const backend = queue.getBackend()
  listenTo(backend.connection.pool)
  backend.promote = async (jobId) => {
    const { rows } = await backend.connection.pool.query(promoteLocked, [name, jobId])
    if (rows.length === 0) throw new Error(`job ${jobId} is not delayed`)
  }
  return queue
}

/**
 * A job by its id. One that BullMQ can't read (it was written by something else, or damaged) makes its own call
 * reject and no other: told apart from what meets all calls by asking for it once more.
 */
export async function findJob(
  queue: Pick<EngineQueue, 'getJob' | 'getJobCounts'>,
  jobId: string,
): Promise<EngineJob | 'unreadable' | undefined> {
  try {
    return await queue.getJob(jobId)
  } catch (error) {
    if (error instanceof ConnectionError) throw error
    await queue.getJobCounts('active')
    return queue.getJob(jobId).catch(() => 'unreadable')
  }
}
