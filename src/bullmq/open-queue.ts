import type { Queue } from 'bullmq'
import type { EngineConnection } from './connection.js'
import type { BullMQ } from './load-bullmq.js'

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

/** A queue on either store, with nothing known yet of whether it is there. */
export function openQueue(
  bullmq: BullMQ,
  { engine, name, prefix }: { engine: EngineConnection; name: string; prefix: string },
): EngineQueue {
  const queue =
    engine.store === 'redis'
      ? new bullmq.Queue(name, { connection: engine.connection, prefix }, bullmq.createRedisBackend)
      : new bullmq.Queue(name, { connection: engine.connection, prefix }, bullmq.createPostgresBackend)
  // Each call rejects by itself; without a listener the event would end the process.
  queue.on('error', () => undefined)
  return queue
}
