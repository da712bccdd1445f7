import type { EngineJob, EngineQueue } from './open-queue.js'

/**
 * A job by its id. One that BullMQ can't read (it was written by something else, or damaged) makes its own call
 * reject and no other: told apart from a store that is away by asking for it once more.
 */
export async function findJob(
  queue: Pick<EngineQueue, 'getJob' | 'getJobCounts'>,
  jobId: string,
): Promise<EngineJob | 'unreadable' | undefined> {
  try {
    return await queue.getJob(jobId)
  } catch {
    await queue.getJobCounts('active')
    return queue.getJob(jobId).catch(() => 'unreadable')
  }
}
