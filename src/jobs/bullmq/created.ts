import { setTimeout as sleep } from 'node:timers/promises'
import { within } from '../../client/input/within.js'
import { AbortedError, InvalidInputError, type PaymentKind, WaitTimeoutError } from '../../index.js'
import { kindOf } from '../kinds.js'
import { jobIdOf } from './job-id.js'
import { type EngineQueue, findJob } from './open-queue.js'
import { readCreatedOptions } from './read-options.js'
import { lineOf, type ReportParts } from './report.js'
import type { CreatedOptions, PaymentQueue } from './types.js'

const firstGapMs = 20
const longestGapMs = 500
/** A store answers in this time, if it does, so that also who waits for nothing gets an answer. */
const lookMs = 1_000

/** Looks into the store, less and less often: a page waits for a second or two, and no connection is held for it. */
export async function createdOf<K extends PaymentKind>(
  {
    kind,
    queue,
    seal,
  }: Omit<ReportParts<K>, 'queue'> & { queue: Pick<EngineQueue, 'getJob' | 'getJobCounts'> },
  id: string,
  options: CreatedOptions = {},
): ReturnType<PaymentQueue<K>['created']> {
  const { maxWaitMs, signal } = readCreatedOptions(options)
  const { idField, ref } = kindOf(kind)
  const jobId = jobIdOf(kind, id)
  const named = { [idField]: id }
  const until = performance.now() + maxWaitMs
  const over = (why: string) => {
    if (!signal?.aborted) {
      return new WaitTimeoutError(
        `${why} within ${maxWaitMs} ms; it stays in the queue and nothing is lost, so call created again.`,
        { ...named, lastPayment: undefined },
      )
    }
    const message = `the wait for this ${kind} was ended by its signal; it stays in the queue, and a worker creates it.`
    return new AbortedError(message, named, signal.reason)
  }
  const silent = () => over(`the store has not said what became of this ${kind}`)
  for (let gapMs = firstGapMs; ; gapMs = Math.min(longestGapMs, gapMs * 1.5)) {
    const mostMs = Math.max(lookMs, until - performance.now())
    const job = await within(mostMs, silent, () => findJob(queue, jobId), signal)
    const line = lineOf(kind, jobId, job, seal)
    if (job === undefined || line === undefined) {
      const message = `the queue has no such ${kind}: it was not added, its transaction has not committed, or it was done long ago; add it, or read your own record.`
      throw new InvalidInputError(message, { ...named, field: idField })
    }
    const created = job === 'unreadable' ? undefined : seal.open(jobId, job.data)?.created
    if (created !== undefined || line.state !== 'waiting') {
      return { ...(created ?? ref(id)), problem: line.problem }
    }
    const leftMs = until - performance.now()
    if (leftMs <= 0) throw over(`no worker has created this ${kind}`)
    await sleep(Math.min(gapMs, leftMs), undefined, { signal }).catch(() => undefined)
  }
}
