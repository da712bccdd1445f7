import { findJob } from './find-job.js'
import type { PayoutData } from './job-data.js'
import type { JobSeal } from './job-seal.js'
import type { EngineQueue } from './open-queue.js'

/** A job of which the id is all that is kept, and that is still to be sent: only a worker with `load` can do that. */
export function isIdOnly({ request, state }: PayoutData): boolean {
  return request === undefined && state?.step !== 'follow'
}

/** So many are looked at in each state: one queue adds either ids or requests. */
const mostLooked = 10

/** Whether such jobs wait in a queue. */
export async function holdsIds(
  queue: Pick<EngineQueue, 'getRanges' | 'getJob' | 'getJobCounts'>,
  seal: JobSeal,
): Promise<boolean> {
  const ids = await queue.getRanges(['prioritized', 'waiting', 'delayed'], 0, mostLooked - 1, true)
  const jobs = await Promise.all(ids.map((id) => findJob(queue, id)))
  return jobs.some((job, n) => {
    const data = job === undefined || job === 'unreadable' ? undefined : seal.open(ids[n] ?? '', job.data)
    return data !== undefined && isIdOnly(data)
  })
}
