import { jobIdOf, priorities } from './settings.js'
import type { WakeableQueue } from './types.js'

/**
 * For `wake` of a `CallbackReceiver`: puts a payment before all that wait, also one that was done, since it may have
 * been paid late or returned. A worker then looks it up.
 *
 * @param queue BullMQ's `Queue`.
 * @param id the payment's id.
 * @returns false where no worker will look from now on: the queue doesn't have the payment, a person has to look, or a
 * worker has it at this moment and may have looked before it changed. The receiver then looks it up itself.
 * @example
 * new CallbackReceiver({ client, publicUrl, wake: ({ idPayout }) => wake(queue, idPayout), onPayout })
 */
export async function wake(queue: WakeableQueue, id: string): Promise<boolean> {
  const job = await queue.getJob(jobIdOf(id))
  const state = await job?.getState()
  if (job === undefined || state === undefined || !wakeable.has(state)) return false
  await job.changePriority({ priority: priorities.notified })
  try {
    if (state === 'delayed') await job.promote()
    if (state === 'completed') await job.retry('completed', { resetAttemptsMade: true })
  } catch (error) {
    // Its time had come by itself in between, or somebody else has woken it.
    const now = await job.getState()
    if (now === state) throw error
    return now !== 'completed' && wakeable.has(now)
  }
  // Else a worker may have begun before this call.
  return state === 'delayed' || state === 'completed' || wakeable.has(await job.getState())
}

const wakeable: ReadonlySet<string> = new Set(['waiting', 'prioritized', 'delayed', 'completed'])
