import type { PaymentKind } from '../../index.js'
import { addPayments, everyState } from './add-payments.js'
import { createdOf } from './created.js'
import { priorities } from './job-data.js'
import { jobIdOf } from './job-id.js'
import { jobSeal } from './job-seal.js'
import { loadBullmq } from './load-bullmq.js'
import { type EngineQueue, openQueue, scopedName } from './open-queue.js'
import { checkOwner, readQueueOptions } from './read-options.js'
import { untilReady } from './ready.js'
import { type ReportParts, reportOf, stoppedOf } from './report.js'
import { inTransaction } from './transaction.js'
import type { AddOptions, PaymentAccount, PaymentQueue, PaymentQueueOptions, QueueProgress } from './types.js'
import { wakePayment } from './wake.js'

/**
 * Opens a merchant's queue of payins or payouts at one gateway, in Redis or PostgreSQL. It sends nothing by itself:
 * workers of the same merchant, gateway, kind and name do, in this process or in others.
 *
 * @param client a client of the merchant whose payments they are, at the gateway that they go to.
 * @param kind `'payin'` or `'payout'`.
 * @param options where the queue is. Durations are in milliseconds.
 * @throws {ConfigurationError} for an option that is wrong, without bullmq, and when BullMQ's tables are missing.
 * @throws {ConnectionError} when the store does not answer within `connectTimeoutMs`.
 * @example
 * await using queue = await paymentQueue(client, 'payin', { connection: process.env.DATABASE_URL })
 * await queue.add(payin, { transaction })
 */
export async function paymentQueue<K extends PaymentKind>(
  client: PaymentAccount,
  kind: K,
  options: PaymentQueueOptions,
): Promise<PaymentQueue<K>> {
  checkOwner(client, kind)
  const settings = readQueueOptions(options)
  const { engine, holds } = settings
  const seal = jobSeal(client, kind, settings)
  const name = scopedName(settings.name, kind, client)
  const bullmq = await loadBullmq()
  const queue = openQueue(bullmq, name, settings)
  await untilReady(queue, engine, settings.connectTimeoutMs)
  const parts = { kind, queue, seal }
  const waiting = new Map<string, Promise<void>>()

  const addAll: PaymentQueue<K>['addAll'] = (payments, { transaction, signal }: AddOptions = {}) => {
    const add = (on: Parameters<typeof addPayments<K>>[1]['queue']) =>
      addPayments(payments, { kind, queue: on, holds, seal, signal })
    return transaction === undefined ? add(queue) : inTransaction({ bullmq, engine, name }, transaction, add)
  }
  const close = () => queue.close()

  return {
    addAll,
    add: (payment, options) => addAll([payment], options),
    created: (id, options) => createdOf(parts, id, options),
    pause: () => queue.pause(),
    resume: () => queue.resume(),
    progress: () => progressOf(queue),
    report: (expected) => reportOf(parts, expected),
    refused: () => stoppedOf(parts),
    retry: (id) => retryPayment(parts, id),
    wake: async (id) => wakePayment({ queue, waiting }, jobIdOf(kind, id)),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Its state stays with it: an earlier run that may have sent it is not forgotten because a person has looked. */
async function retryPayment<K extends PaymentKind>(
  { kind, queue, seal }: ReportParts<K>,
  id: string,
): Promise<boolean> {
  const jobId = jobIdOf(kind, id)
  const job = await queue.getJob(jobId)
  const data = seal.open(jobId, job?.data)
  if (job === undefined || data === undefined || (await queue.getJobState(jobId)) !== 'failed') return false
  const { problem: _, ...rest } = data
  await job.updateData(seal.seal(jobId, rest))
  await job.changePriority({ priority: priorities.begun })
  await job.retry('failed', { resetAttemptsMade: true })
  return true
}

/** Counts a queue. */
async function progressOf(queue: EngineQueue): Promise<QueueProgress> {
  const [counts, atPriority, paused] = await Promise.all([
    queue.getJobCounts(...everyState),
    queue.getCountsPerPriority([priorities.woken, priorities.poll]),
    queue.isPaused(),
  ])
  const count = (state: (typeof everyState)[number]) => counts[state] ?? 0
  const due = (atPriority[priorities.woken] ?? 0) + (atPriority[priorities.poll] ?? 0)
  const [done, stopped, active] = [count('completed'), count('failed'), count('active')]
  const waiting = Math.max(0, count('waiting') + count('prioritized') - due)
  const following = count('delayed') + due
  const total = waiting + following + active + done + stopped
  return { total, waiting, active, following, done, stopped, paused }
}
