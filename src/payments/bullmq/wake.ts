import { setTimeout as sleep } from 'node:timers/promises'
import { priorities } from './job-data.js'
import { jobIdOf } from './job-id.js'
import type { EngineQueue } from './open-queue.js'

/** A run ends with its call's deadline, which is seldom longer. */
const longestRunMs = 60_000
const betweenLooksMs = 50

/**
 * Puts a payout before all that wait. One that is at a worker now may have been looked at before it changed, so
 * it is waited for and then looked at once more.
 */
export async function wakePayout(queue: EngineQueue, idPayout: string): Promise<boolean> {
  const id = jobIdOf(idPayout)
  const until = performance.now() + longestRunMs
  while (performance.now() < until) {
    const job = await queue.getJob(id)
    if (job === undefined) return false
    const state = await queue.getJobState(id)
    if (state === 'completed' || state === 'failed' || state === 'unknown') return false
    if (state === 'active') {
      await sleep(betweenLooksMs, undefined, { ref: false })
      continue
    }
    await job.changePriority({ priority: priorities.woken })
    if (state !== 'delayed') return true
    try {
      await job.promote()
      return true
    } catch (error) {
      // Its time had come by itself in between.
      if ((await queue.getJobState(id)) === 'delayed') throw error
    }
  }
  return false
}
