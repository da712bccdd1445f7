import { everyState } from './add-payouts.js'
import { idPayoutOf, jobIdOf } from './job-id.js'
import type { JobSeal } from './job-seal.js'
import { type EngineJob, type EngineQueue, findJob } from './open-queue.js'
import type { ExpectedPayouts, PayoutLine, PayoutProblem, StoppedPayout } from './types.js'

/** How many are read at once. */
const pageSize = 500

/**
 * A line for each payout. The ids are read first and all at once, so that none is missed while jobs move on. What is
 * expected and not there comes last.
 */
export async function* reportOf(
  queue: EngineQueue,
  seal: JobSeal,
  expected: ExpectedPayouts = [],
): AsyncGenerator<PayoutLine, void, void> {
  const ids = new Set(await queue.getRanges([...everyState], 0, -1, true))
  yield* linesOf(queue, seal, ids)
  for await (const { idPayout } of expected) {
    if (!ids.has(jobIdOf(idPayout))) yield { idPayout, state: 'missing', starts: 0 }
  }
}

/** The payouts that need a person. */
export async function* stoppedOf(
  queue: EngineQueue,
  seal: JobSeal,
): AsyncGenerator<StoppedPayout, void, void> {
  const ids = await queue.getRanges(['failed'], 0, -1, true)
  for await (const line of linesOf(queue, seal, new Set(ids))) if (isStopped(line)) yield line
}

function isStopped(line: PayoutLine): line is StoppedPayout {
  return line.problem !== undefined && line.problem.because === line.state
}

async function* linesOf(
  queue: EngineQueue,
  seal: JobSeal,
  ids: Iterable<string>,
): AsyncGenerator<PayoutLine, void, void> {
  const all = [...ids]
  for (let from = 0; from < all.length; from += pageSize) {
    const page = all.slice(from, from + pageSize)
    const lines = await Promise.all(page.map(async (id) => lineOf(id, await findJob(queue, id), seal)))
    for (const line of lines) if (line !== undefined) yield line
  }
}

type StoredJob = Pick<EngineJob, 'data' | 'returnvalue' | 'finishedOn' | 'attemptsStarted'>

/** What a stored job says of its payout; undefined for one that has gone meanwhile. */
export function lineOf(
  jobId: string,
  job: StoredJob | 'unreadable' | undefined,
  seal: JobSeal,
): PayoutLine | undefined {
  if (job === undefined) return undefined
  const data = job === 'unreadable' ? undefined : seal.open(jobId, job.data)
  if (job === 'unreadable' || data === undefined) {
    return { idPayout: idPayoutOf(jobId), state: 'foreign', starts: 0, problem: foreign }
  }
  const { idPayout, money, state, problem } = data
  const line = { idPayout, ...(money === undefined ? {} : { money }), starts: job.attemptsStarted }
  if (!job.finishedOn) {
    return { ...line, state: state?.step === 'follow' ? 'following' : 'waiting' }
  }
  const result = seal.openResult(jobId, job.returnvalue)
  if (result !== undefined) return { ...line, ...result, state: 'done' }
  // Ended by something other than this package's worker: whether it was sent nobody knows.
  const { because } = problem ?? endedElsewhere
  return { ...line, state: because, problem: problem ?? endedElsewhere }
}

const endedElsewhere: PayoutProblem = {
  because: 'look',
  code: 'configuration',
  message:
    'its job was ended by something other than a payout worker; find out at the gateway whether it was sent.',
}

const foreign: PayoutProblem = {
  because: 'foreign',
  code: 'configuration',
  message:
    'its job was not sealed by this queue of this merchant at this gateway, or was changed since, or its key is not in encryptionKeys; no worker sends it, so find out who wrote it, and at the gateway whether its payout was sent before.',
}
