import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../client/input/own.js'
import { InvalidInputError } from '../../index.js'
import type { PayoutToSend } from '../job/index.js'
import { backoffName, endlessAttempts, jobName, moneyOf, type PayoutData, priorities } from './job-data.js'
import { checkIdPayout, jobIdOf } from './job-id.js'
import type { JobSeal } from './job-seal.js'
import { type EngineQueue, findJob } from './open-queue.js'
import type { PayoutsAdded } from './types.js'

interface Adding {
  readonly queue: Pick<EngineQueue, 'addBulk' | 'getJobCounts' | 'getJob'>
  readonly holds: 'requests' | 'ids'
  readonly seal: JobSeal
  readonly batchSize: number
  readonly signal?: AbortSignal | undefined
}

/** Counting costs PostgreSQL as much as adding a few hundred does. */
const payoutsPerCount = 2000

/**
 * Adds payouts batch by batch. BullMQ takes no second job of an id, and doesn't say which it took: how many there
 * are before and after some batches tells whether any were known, and only then those are compared.
 */
export async function addPayouts(
  payouts: AsyncIterable<PayoutToSend> | Iterable<PayoutToSend>,
  { queue, holds, seal, batchSize, signal }: Adding,
): Promise<PayoutsAdded> {
  const differing = new Set<string>()
  let [given, added] = [0, 0]
  let uncounted: ReadonlyMap<string, PayoutToSend>[] = []
  let before = await countOf(queue)
  const count = async () => {
    const after = await countOf(queue)
    const size = uncounted.reduce((sum, batch) => sum + batch.size, 0)
    let differ = 0
    // More than were given have come where another process adds too, and some of ours may be among the known ones.
    if (after - before !== size) {
      for (const batch of uncounted) {
        for (const id of await differingFrom(queue, batch, holds, seal)) {
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
  for await (const batch of batchesOf(payouts, batchSize)) {
    signal?.throwIfAborted()
    await queue.addBulk([...batch.values()].map((payout) => jobOf(payout, holds, seal.seal)))
    uncounted.push(batch)
    if (uncounted.length * batchSize >= payoutsPerCount) await count()
  }
  if (uncounted.length > 0) await count()
  return { given, added, differing: [...differing] }
}

async function countOf(queue: Adding['queue']): Promise<number> {
  const counts = await queue.getJobCounts(...everyState)
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** Where a job of ours can be. */
export const everyState = ['waiting', 'prioritized', 'delayed', 'active', 'completed', 'failed'] as const

/** Payouts by their id. One that is given twice in a batch counts once, as over two batches. */
async function* batchesOf(payouts: AsyncIterable<PayoutToSend> | Iterable<PayoutToSend>, size: number) {
  let batch = new Map<string, PayoutToSend>()
  for await (const payout of payouts) {
    const id = checked(payout)
    const other = batch.get(id)
    if (other !== undefined && !isDeepStrictEqual(other, payout)) {
      throw new InvalidInputError(
        'idPayout came twice with different requests; the batches before this one are in the queue, so give each payout its own id and add them all again.',
        { idPayout: id, field: 'idPayout' },
      )
    }
    batch.set(id, payout)
    if (batch.size < size) continue
    yield batch
    batch = new Map()
  }
  if (batch.size > 0) yield batch
}

function checked(payout: unknown): string {
  if (!isObject(payout))
    throw new InvalidInputError('payout must be an object with idPayout; it was not queued.')
  return checkIdPayout(payout.idPayout)
}

async function differingFrom(
  queue: Adding['queue'],
  batch: ReadonlyMap<string, PayoutToSend>,
  holds: 'requests' | 'ids',
  seal: JobSeal,
): Promise<string[]> {
  if (holds === 'ids') return []
  const differs = async ([id, payout]: [string, PayoutToSend]) => {
    const jobId = jobIdOf(id)
    const job = await findJob(queue, jobId)
    if (job === undefined) return []
    const stored = job === 'unreadable' ? undefined : seal.open(jobId, job.data)
    // Something else has this place: nothing of the payout will be sent.
    if (stored === undefined) return [id]
    // Through JSON, as the stored one went: what is undefined is not on the wire.
    const asked: PayoutToSend = JSON.parse(JSON.stringify(payout))
    const same =
      stored.request === undefined
        ? isDeepStrictEqual(stored.money, moneyOf(asked))
        : isDeepStrictEqual(stored.request, asked)
    return same ? [] : [id]
  }
  const found = await Promise.all([...batch].map(differs))
  return found.flat()
}

/** A payout as the job that is added for it. */
function jobOf(payout: PayoutToSend, holds: 'requests' | 'ids', seal: JobSeal['seal']) {
  const { idPayout } = payout
  const jobId = jobIdOf(idPayout)
  const money = moneyOf(payout)
  const data: PayoutData =
    holds === 'ids'
      ? { v: 1, idPayout }
      : { v: 1, idPayout, ...(money === undefined ? {} : { money }), request: payout }
  return {
    name: jobName,
    data: seal(jobId, data),
    opts: {
      jobId,
      priority: priorities.create,
      attempts: endlessAttempts,
      backoff: { type: backoffName },
    },
  }
}
