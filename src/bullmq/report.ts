import { everyState } from './add-payouts.js'
import { readData, readResult } from './job-data.js'
import type { EngineJob, EngineQueue } from './open-queue.js'
import type { PayoutLine, StoppedPayout } from './types.js'

/** How many are read at once. */
const pageSize = 500

/** A line for each payout. The ids are read first and all at once, so that none is missed while jobs move on. */
export async function* reportOf(queue: EngineQueue): AsyncGenerator<PayoutLine, void, void> {
  const ids = await queue.getRanges([...everyState], 0, -1, true)
  yield* linesOf(queue, new Set(ids))
}

/** The payouts that need a person. */
export async function* stoppedOf(queue: EngineQueue): AsyncGenerator<StoppedPayout, void, void> {
  const ids = await queue.getRanges(['failed'], 0, -1, true)
  for await (const line of linesOf(queue, new Set(ids))) if (isStopped(line)) yield line
}

function isStopped(line: PayoutLine): line is StoppedPayout {
  return line.problem !== undefined && line.problem.because === line.state
}

async function* linesOf(queue: EngineQueue, ids: Iterable<string>): AsyncGenerator<PayoutLine, void, void> {
  const all = [...ids]
  for (let from = 0; from < all.length; from += pageSize) {
    const jobs = await Promise.all(all.slice(from, from + pageSize).map((id) => queue.getJob(id)))
    for (const job of jobs) {
      const line = job === undefined ? undefined : lineOf(job)
      if (line !== undefined) yield line
    }
  }
}

type StoredJob = Pick<EngineJob, 'data' | 'returnvalue' | 'finishedOn' | 'attemptsStarted'>

/** What a stored job says of its payout; undefined for a job that is not one. */
export function lineOf(job: StoredJob): PayoutLine | undefined {
  const data = readData(job.data)
  if (data === undefined) return undefined
  const { idPayout, money, state, problem } = data
  const line = { idPayout, ...(money === undefined ? {} : { money }), starts: job.attemptsStarted }
  if (!job.finishedOn) {
    return { ...line, state: state?.step === 'follow' ? 'following' : 'waiting' }
  }
  if (problem !== undefined) return { ...line, state: problem.because, problem }
  const result = readResult(job.returnvalue)
  if (result !== undefined) return { ...line, ...result, state: 'done' }
  // Ended by something other than this package's worker: whether it was sent nobody knows.
  const message =
    'its job was ended by something other than a payout worker; find out at the gateway whether it was sent.'
  return { ...line, state: 'look', problem: { because: 'look', code: 'configuration', message } }
}
