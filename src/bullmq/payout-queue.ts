import { addPayouts } from './add-payouts.js'
import { readData } from './job-data.js'
import { jobIdOf } from './job-id.js'
import { loadBullmq } from './load-bullmq.js'
import { type EngineQueue, openQueue } from './open-queue.js'
import { priorities } from './priorities.js'
import { progressOf } from './progress.js'
import { readQueueOptions } from './read-options.js'
import { untilReady } from './ready.js'
import { reportOf, stoppedOf } from './report.js'
import { inTransaction } from './transaction.js'
import type { AddOptions, PayoutQueue, PayoutQueueOptions } from './types.js'
import { wakePayout } from './wake.js'

/**
 * Opens a queue of payouts in Redis or PostgreSQL. It sends nothing by itself: workers of the same name do, in this
 * process or in others.
 *
 * @param options where the queue is. Durations are in milliseconds.
 * @throws {ConfigurationError} for an option that is wrong, without bullmq, and when BullMQ's tables are missing.
 * @throws {ConnectionError} when the store does not answer within `connectTimeoutMs`.
 * @example
 * await using queue = await payoutQueue({ connection: 'redis://127.0.0.1:6379' })
 * await queue.addAll(payouts)
 */
export async function payoutQueue(options: PayoutQueueOptions): Promise<PayoutQueue> {
  const settings = readQueueOptions(options)
  const { engine, name, holds, batchSize } = settings
  const bullmq = await loadBullmq()
  const queue = openQueue(bullmq, settings)
  await untilReady(queue, engine, settings.connectTimeoutMs)

  const addAll: PayoutQueue['addAll'] = (payouts, { transaction, signal }: AddOptions = {}) => {
    const add = (on: Parameters<typeof addPayouts>[1]['queue']) =>
      addPayouts(payouts, { queue: on, holds, batchSize, signal })
    return transaction === undefined ? add(queue) : inTransaction({ bullmq, engine, name }, transaction, add)
  }
  const close = () => queue.close()

  return {
    addAll,
    add: (payout, given) => addAll([payout], given),
    pause: () => queue.pause(),
    resume: () => queue.resume(),
    progress: progressOf(queue),
    report: () => reportOf(queue),
    refused: () => stoppedOf(queue),
    retry: (idPayout) => retryPayout(queue, idPayout),
    wake: (idPayout) => wakePayout(queue, idPayout),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Its state stays with it: an earlier run that may have sent it is not forgotten because a person has looked. */
async function retryPayout(queue: EngineQueue, idPayout: string): Promise<boolean> {
  const id = jobIdOf(idPayout)
  const job = await queue.getJob(id)
  const data = readData(job?.data)
  if (job === undefined || data === undefined || (await queue.getJobState(id)) !== 'failed') return false
  const { problem: _, ...rest } = data
  await job.updateData(rest)
  await job.changePriority({ priority: priorities.begun })
  await job.retry('failed', { resetAttemptsMade: true })
  return true
}
