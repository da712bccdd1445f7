import { setTimeout as sleep } from 'node:timers/promises'
import { priorities } from './job-data.js'
import type { EngineQueue } from './open-queue.js'

/** A run ends with its call's deadline, which is seldom longer. */
const longestRunMs = 60_000
const firstGapMs = 50
const longestGapMs = 400

export interface WakeParts {
  readonly queue: EngineQueue
  /** Payments of this process whose run is waited for. */
  readonly waiting: Map<string, Promise<void>>
}

/**
 * Puts a payment before all that wait, also one that was done: it may have been paid late, or returned. One that is at
 * a worker now may have been looked at before it changed, so it is waited for and then looked at once more.
 */
export async function wakePayment(parts: WakeParts, jobId: string): Promise<boolean> {
  const { queue, waiting } = parts
  const until = performance.now() + longestRunMs
  while (performance.now() < until) {
    const job = await queue.getJob(jobId)
    if (job === undefined) return false
    const state = await queue.getJobState(jobId)
    if (state === 'failed' || state === 'unknown') return false
    if (state === 'active') {
      // Callbacks that come meanwhile wait together: one looks into the store for all.
      const inactive = waiting.get(jobId) ?? untilInactive(parts, jobId, until)
      waiting.set(jobId, inactive)
      await inactive
      continue
    }
    await job.changePriority({ priority: priorities.woken })
    if (state !== 'delayed' && state !== 'completed') return true
    try {
      await (state === 'delayed' ? job.promote() : job.retry('completed', { resetAttemptsMade: true }))
      return true
    } catch (error) {
      // Its time had come by itself in between, or somebody else has woken it.
      if ((await queue.getJobState(jobId)) === state) throw error
    }
  }
  return false
}

async function untilInactive({ queue, waiting }: WakeParts, jobId: string, until: number): Promise<void> {
  try {
    for (let gapMs = firstGapMs; performance.now() < until; gapMs = Math.min(longestGapMs, gapMs * 1.5)) {
      await sleep(gapMs, undefined, { ref: false })
      if ((await queue.getJobState(jobId)) !== 'active') return
    }
  } finally {
    waiting.delete(jobId)
  }
}
