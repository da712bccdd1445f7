import { addPayouts } from './add-payouts.js'
import { priorities } from './job-data.js'
import { jobIdOf } from './job-id.js'
import { type JobSeal, jobSeal } from './job-seal.js'
import { loadBullmq } from './load-bullmq.js'
import { type EngineQueue, openQueue, scopedName } from './open-queue.js'
import { progressOf } from './progress.js'
import { readQueueOptions } from './read-options.js'
import { untilReady } from './ready.js'
import { reportOf, stoppedOf } from './report.js'
import { inTransaction } from './transaction.js'
import type { AddOptions, PayoutQueue, PayoutQueueOptions } from './types.js'
import { wakePayout } from './wake.js'

/**
 * Opens a merchant's queue of payouts at one gateway, in Redis or PostgreSQL. It sends nothing by itself: workers of
 * the same merchant, gateway and name do, in this process or in others.
 *
 * @param options whose payouts they are, and where the queue is. Durations are in milliseconds.
 * @throws {ConfigurationError} for an option that is wrong, without bullmq, and when BullMQ's tables are missing.
 * @throws {ConnectionError} when the store does not answer within `connectTimeoutMs`.
 * @example
 * await using queue = await payoutQueue({ client, connection: 'redis://127.0.0.1:6379' })
 * await queue.addAll(payouts)
 */
export async function payoutQueue(options: PayoutQueueOptions): Promise<PayoutQueue> {
  const settings = readQueueOptions(options)
  const { client, engine, name, holds, batchSize } = settings
  const seal = jobSeal(client, settings)
  const bullmq = await loadBullmq()
  const queue = openQueue(bullmq, settings, client)
  await untilReady(queue, engine, settings.connectTimeoutMs)

  const addAll: PayoutQueue['addAll'] = (payouts, { transaction, signal }: AddOptions = {}) => {
    const add = (on: Parameters<typeof addPayouts>[1]['queue']) =>
      addPayouts(payouts, { queue: on, holds, seal, batchSize, signal })
    return transaction === undefined
      ? add(queue)
      : inTransaction({ bullmq, engine, name: scopedName(name, client) }, transaction, add)
  }
  const close = () => queue.close()

  return {
    addAll,
    add: (payout, options) => addAll([payout], options),
    pause: () => queue.pause(),
    resume: () => queue.resume(),
    progress: progressOf(queue),
    report: (expected) => reportOf(queue, seal, expected),
    refused: () => stoppedOf(queue, seal),
    retry: (idPayout) => retryPayout(queue, seal, idPayout),
    wake: (idPayout) => wakePayout(queue, idPayout),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Its state stays with it: an earlier run that may have sent it is not forgotten because a person has looked. */
async function retryPayout(queue: EngineQueue, seal: JobSeal, idPayout: string): Promise<boolean> {
  const id = jobIdOf(idPayout)
  const job = await queue.getJob(id)
  const data = seal.open(id, job?.data)
  if (job === undefined || data === undefined || (await queue.getJobState(id)) !== 'failed') return false
  const { problem: _, ...rest } = data
  await job.updateData(seal.seal(id, rest))
  await job.changePriority({ priority: priorities.begun })
  await job.retry('failed', { resetAttemptsMade: true })
  return true
}
