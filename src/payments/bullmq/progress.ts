import { everyState } from './add-payments.js'
import { priorities } from './job-data.js'
import type { EngineQueue } from './open-queue.js'
import type { QueueProgress } from './types.js'

/** What was counted when. */
export interface Sample {
  readonly atMs: number
  readonly ended: number
}

const rateOverMs = 60_000

/** How fast payments came to their end over the last minute of samples; undefined while two at different times are missing. */
export function rateOf(samples: readonly Sample[]): number | undefined {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined || last.atMs <= first.atMs) return undefined
  return Math.max(0, ((last.ended - first.ended) / (last.atMs - first.atMs)) * 1000)
}

/** The samples that count after one more: those of the last minute, and of a queue that did not shrink. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const kept = samples.filter(({ atMs, ended }) => sample.atMs - atMs <= rateOverMs && ended <= sample.ended)
  return [...kept, sample]
}

/** Counts a queue, and remembers what it counted for the rate. */
export function progressOf(queue: EngineQueue, now = () => performance.now()) {
  let samples: Sample[] = []
  return async (): Promise<QueueProgress> => {
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
    samples = withSample(samples, { atMs: now(), ended: done + stopped })
    const perSecond = rateOf(samples)
    const open = waiting + following + active
    return {
      total: open + done + stopped,
      waiting,
      active,
      following,
      done,
      stopped,
      paused,
      perSecond,
      leftMs: perSecond === undefined || perSecond === 0 ? undefined : Math.round((open / perSecond) * 1000),
    }
  }
}
