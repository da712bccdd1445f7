import type { PaymentKind } from '../../index.js'
import { kindOf } from '../kinds.js'
import { everyState } from './add-payments.js'
import { jobIdOf, paymentIdOf } from './job-id.js'
import type { JobSeal } from './job-seal.js'
import { type EngineJob, type EngineQueue, findJob } from './open-queue.js'
import type { ExpectedPayments, PaymentLine, PaymentProblem, StoppedPayment } from './types.js'

/** Whose jobs, where. */
export interface ReportParts<K extends PaymentKind> {
  readonly kind: K
  readonly queue: EngineQueue
  readonly seal: JobSeal<K>
}

/** How many are read at once. */
const pageSize = 500

/**
 * A line for each payment. The ids are read first and all at once, so that none is missed while jobs move on. What is
 * expected and not there comes last.
 */
export async function* reportOf<K extends PaymentKind>(
  parts: ReportParts<K>,
  expected: ExpectedPayments<K> = [],
): AsyncGenerator<PaymentLine<K>, void, void> {
  const { kind, queue } = parts
  const { idIn, ref } = kindOf(kind)
  const ids = new Set(await queue.getRanges([...everyState], 0, -1, true))
  yield* linesOf(parts, ids)
  for await (const one of expected) {
    const id = idIn(one)
    if (!ids.has(jobIdOf(kind, id))) yield { ...ref(id), state: 'missing', starts: 0 }
  }
}

/** The payments that need a person. */
export async function* stoppedOf<K extends PaymentKind>(
  parts: ReportParts<K>,
): AsyncGenerator<StoppedPayment<K>, void, void> {
  const ids = await parts.queue.getRanges(['failed'], 0, -1, true)
  for await (const line of linesOf(parts, new Set(ids))) if (isStopped(line)) yield line
}

function isStopped<K extends PaymentKind>(line: PaymentLine<K>): line is StoppedPayment<K> {
  return line.problem !== undefined && line.problem.because === line.state
}

async function* linesOf<K extends PaymentKind>(
  { kind, queue, seal }: ReportParts<K>,
  ids: Iterable<string>,
): AsyncGenerator<PaymentLine<K>, void, void> {
  const all = [...ids]
  for (let from = 0; from < all.length; from += pageSize) {
    const page = all.slice(from, from + pageSize)
    const lines = await Promise.all(page.map(async (id) => lineOf(kind, id, await findJob(queue, id), seal)))
    for (const line of lines) if (line !== undefined) yield line
  }
}

type StoredJob = Pick<EngineJob, 'data' | 'returnvalue' | 'finishedOn' | 'attemptsStarted'>

/** What a stored job says of its payment; undefined for one that has gone meanwhile. */
export function lineOf<K extends PaymentKind>(
  kind: K,
  jobId: string,
  job: StoredJob | 'unreadable' | undefined,
  seal: JobSeal<K>,
): PaymentLine<K> | undefined {
  const { ref } = kindOf(kind)
  if (job === undefined) return undefined
  const data = job === 'unreadable' ? undefined : seal.open(jobId, job.data)
  if (job === 'unreadable' || data === undefined) {
    return { ...ref(paymentIdOf(jobId)), state: 'foreign', starts: 0, problem: foreign }
  }
  const { id, money, state, problem } = data
  const line = { ...ref(id), ...(money === undefined ? {} : { money }), starts: job.attemptsStarted }
  if (!job.finishedOn) {
    return { ...line, state: state?.step === 'follow' ? 'following' : 'waiting' }
  }
  const result = seal.openResult(jobId, job.returnvalue)
  if (result !== undefined) return { ...line, ...result, state: 'done' }
  // Ended by something other than this package's worker: whether it was sent nobody knows.
  const { because } = problem ?? endedElsewhere
  return { ...line, state: because, problem: problem ?? endedElsewhere }
}

export const endedElsewhere: PaymentProblem = {
  because: 'look',
  code: 'configuration',
  message:
    'its job was ended by something other than a payment worker; find out at the gateway whether it was sent.',
}

export const foreign: PaymentProblem = {
  because: 'foreign',
  code: 'configuration',
  message:
    'its job was not sealed by this queue of this merchant at this gateway, or was changed since, or its key is not in encryptionKeys; no worker sends it, so find out who wrote it, and at the gateway whether its payment was sent before.',
}
