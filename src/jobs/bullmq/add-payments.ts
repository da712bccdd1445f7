import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../client/input/own.js'
import { InvalidInputError, type PaymentKind } from '../../index.js'
import type { PaymentToSend } from '../index.js'
import { kindOf } from '../kinds.js'
import { backoffName, endlessAttempts, jobName, moneyOf, type PaymentData, priorities } from './job-data.js'
import { checkId, jobIdOf } from './job-id.js'
import type { JobSeal } from './job-seal.js'
import { type EngineQueue, findJob } from './open-queue.js'
import type { PaymentsAdded } from './types.js'

interface Adding<K extends PaymentKind> {
  readonly kind: K
  readonly queue: Pick<EngineQueue, 'addBulk' | 'getJobCounts' | 'getJob'>
  readonly holds: 'requests' | 'ids'
  readonly seal: JobSeal<K>
  readonly signal?: AbortSignal | undefined
}

/** How many payments go to the store at once. */
const batchSize = 100
/** Counting costs PostgreSQL as much as adding a few hundred does. */
const paymentsPerCount = 2000

/**
 * Adds payments batch by batch. BullMQ takes no second job of an id, and doesn't say which it took: how many there
 * are before and after some batches tells whether any were known, and only then those are compared.
 */
export async function addPayments<K extends PaymentKind>(
  payments: AsyncIterable<PaymentToSend<K>> | Iterable<PaymentToSend<K>>,
  adding: Adding<K>,
): Promise<PaymentsAdded> {
  const { kind, queue, signal } = adding
  const differing = new Set<string>()
  let [given, added] = [0, 0]
  let uncounted: ReadonlyMap<string, PaymentToSend<K>>[] = []
  let before = await countOf(queue)
  const count = async () => {
    const after = await countOf(queue)
    const size = uncounted.reduce((sum, batch) => sum + batch.size, 0)
    let differ = 0
    // More than were given have come where another process adds too, and some of ours may be among the known ones.
    if (after - before !== size) {
      for (const batch of uncounted) {
        for (const id of await differingFrom(batch, adding)) {
          differing.add(id)
          differ++
        }
      }
    }
    given += size
    added += Math.max(0, Math.min(size - differ, after - before))
    before = after
    uncounted = []
  }
  for await (const batch of batchesOf(kind, payments)) {
    signal?.throwIfAborted()
    await queue.addBulk([...batch].map(([id, payment]) => jobOf(id, payment, adding)))
    uncounted.push(batch)
    if (uncounted.length * batchSize >= paymentsPerCount) await count()
  }
  if (uncounted.length > 0) await count()
  return { given, added, differing: [...differing] }
}

async function countOf(queue: Adding<PaymentKind>['queue']): Promise<number> {
  const counts = await queue.getJobCounts(...everyState)
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** Where a job of ours can be. */
export const everyState = ['waiting', 'prioritized', 'delayed', 'active', 'completed', 'failed'] as const

/** Payments by their id. One that is given twice in a batch counts once, as over two batches. */
async function* batchesOf<K extends PaymentKind>(
  kind: K,
  payments: AsyncIterable<PaymentToSend<K>> | Iterable<PaymentToSend<K>>,
) {
  const { idField } = kindOf(kind)
  let batch = new Map<string, PaymentToSend<K>>()
  for await (const payment of payments) {
    if (!isObject(payment)) {
      throw new InvalidInputError(`${kind} must be an object with ${idField}; it was not queued.`)
    }
    const id = checkId(kind, payment[idField])
    const other = batch.get(id)
    if (other !== undefined && !isDeepStrictEqual(other, payment)) {
      throw new InvalidInputError(
        `${idField} came twice with different requests; the batches before this one are in the queue, so give each ${kind} its own id and add them all again.`,
        { [idField]: id, field: idField },
      )
    }
    batch.set(id, payment)
    if (batch.size < batchSize) continue
    yield batch
    batch = new Map()
  }
  if (batch.size > 0) yield batch
}

async function differingFrom<K extends PaymentKind>(
  batch: ReadonlyMap<string, PaymentToSend<K>>,
  { kind, queue, holds, seal }: Adding<K>,
): Promise<string[]> {
  if (holds === 'ids') return []
  const differs = async ([id, payment]: [string, PaymentToSend<K>]) => {
    const jobId = jobIdOf(kind, id)
    const job = await findJob(queue, jobId)
    if (job === undefined) return []
    const stored = job === 'unreadable' ? undefined : seal.open(jobId, job.data)
    // Something else has this place: nothing of the payment will be sent.
    if (stored === undefined) return [id]
    // Through JSON, as the stored one went: what is undefined is not on the wire.
    const requested: PaymentToSend<K> = JSON.parse(JSON.stringify(payment))
    const same =
      stored.request === undefined
        ? isDeepStrictEqual(stored.money, moneyOf(requested))
        : isDeepStrictEqual(stored.request, requested)
    return same ? [] : [id]
  }
  const found = await Promise.all([...batch].map(differs))
  return found.flat()
}

/** A payment as the job that is added for it. */
function jobOf<K extends PaymentKind>(
  id: string,
  payment: PaymentToSend<K>,
  { kind, holds, seal }: Adding<K>,
) {
  const jobId = jobIdOf(kind, id)
  const money = moneyOf(payment)
  const data: PaymentData<K> =
    holds === 'ids' ? { v: 1, id } : { v: 1, id, ...(money === undefined ? {} : { money }), request: payment }
  return {
    name: jobName,
    data: seal.seal(jobId, data),
    opts: {
      jobId,
      priority: priorities.create,
      attempts: endlessAttempts,
      backoff: { type: backoffName },
    },
  }
}
