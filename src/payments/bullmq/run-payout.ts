import type { Job } from 'bullmq'
import { isPaid, type Payout, type PayoutCreateInput } from '../../index.js'
import type { PayoutJob, PayoutToSend, PayoutVerdict } from '../job/index.js'
import { createdAtOf } from '../job/not-ours.js'
import { stateFor } from '../job/state.js'
import { isIdOnly, type PayoutData, type PayoutResult, priorities } from './job-data.js'
import type { JobSeal } from './job-seal.js'
import type { BullMQ } from './load-bullmq.js'
import type { PayoutProblem } from './types.js'

type Load = (idPayout: string) => PromiseLike<PayoutCreateInput | undefined> | PayoutCreateInput | undefined

/** For a worker that has a `load`. */
const putBackMs = 1_000

export interface RunParts {
  readonly bullmq: Pick<BullMQ, 'DelayedError' | 'UnrecoverableError' | 'WaitingError'>
  readonly send: PayoutJob
  readonly seal: JobSeal
  readonly load: Load | undefined
  readonly onError: (error: unknown) => void
  /** The job holds an id only, and there is no `load`. */
  readonly needsLoad: () => void
  /** Whether none of this worker's payouts was looked at yet; true once. */
  readonly looksFirst: () => boolean
  /** Whether this worker's clock and the store's agree. */
  readonly clockAgrees: () => Promise<boolean>
}

/**
 * One run of a job, as BullMQ wants its end said: the result for done, a `DelayedError` for again, an
 * `UnrecoverableError` for stop. Everything else that is thrown it runs again.
 */
export async function runPayout(job: Job, token: string | undefined, parts: RunParts): Promise<string> {
  const { bullmq, send, seal, load, onError, looksFirst, clockAgrees } = parts
  const jobId = job.id ?? ''
  const stored = seal.open(jobId, job.data)
  // What is stored stays as it is: with the right key it can be read again, and a person can see what was written.
  if (stored === undefined) throw new bullmq.UnrecoverableError('foreign')
  // A problem that was written by a worker that was killed before it could stop the job is none yet.
  const { problem: _, ...data } = stored
  const { priority } = job
  const store = (next: PayoutData) => job.updateData(seal.seal(jobId, next))
  if (load === undefined && isIdOnly(data)) {
    parts.needsLoad()
    // That this start has sent nothing, so that it counts as none.
    await store({ ...data, state: stateFor(data.state, job.attemptsStarted) })
    await job.moveToDelayed(Date.now() + putBackMs, token)
    throw new bullmq.DelayedError()
  }
  // Before anything is sent: one whose worker is killed now is not put behind all that wait.
  if (priority === priorities.create) await job.changePriority({ priority: priorities.begun })
  let verdict: PayoutVerdict
  try {
    verdict = await send(payoutOf(data, load), {
      starts: job.attemptsStarted,
      state: data.state,
      priority: priority === priorities.woken ? 'customer' : 'bulk',
    })
  } catch (error) {
    onError(error)
    // The message is the merchant's `load`'s, or a bug's: it may name a customer, and would be stored.
    throw new Error(
      `the run failed (${error instanceof Error ? error.name : typeof error}), and is tried again`,
    )
  }
  await store(verdict.then === 'done' ? doneData(data, job.attemptsStarted) : nextData(data, verdict))
  if (verdict.then !== 'stop' && !(await clockAgrees())) {
    // Its times would be wrong for all others: one of them looks at the payout now.
    await job.moveToWait(token)
    throw new bullmq.WaitingError()
  }
  if (verdict.then === 'done') return seal.sealResult(jobId, resultOf(verdict.payout))
  // The sentence is sealed with the job: what the gateway said in it is not for whoever reads the store.
  if (verdict.then === 'stop') {
    throw new bullmq.UnrecoverableError(`${verdict.because} (${verdict.error.code})`)
  }
  if (verdict.because === 'setup') onError(verdict.error)
  const isFollowed = verdict.state.step === 'follow'
  // What the client's option `live` refuses shows in a look, and must not show after all that wait are created.
  const looksNow = isFollowed && data.state?.step !== 'follow' && looksFirst()
  const next = isFollowed && !looksNow ? priorities.poll : priorities.begun
  await job.changePriority({ priority: next })
  await job.moveToDelayed(Date.now() + (looksNow ? 0 : verdict.afterMs), token)
  throw new bullmq.DelayedError()
}

/** With a `load`, nothing but the id is taken from the job. */
function payoutOf({ idPayout, request }: PayoutData, load: Load | undefined) {
  if (load === undefined && request !== undefined) return { ...request, idPayout } satisfies PayoutToSend
  return { idPayout, load: () => load?.(idPayout) }
}

/** Without account and name. Killed before the job is done, the next run only has to look. */
function doneData({ v, idPayout, money }: PayoutData, starts: number): PayoutData {
  const state = { v: 1, step: 'follow', sent: 'accepted', starts, tries: 0 } as const
  return { v, idPayout, ...(money === undefined ? {} : { money }), state }
}

function nextData(data: PayoutData, verdict: Exclude<PayoutVerdict, { then: 'done' }>): PayoutData {
  const next = { ...data, state: verdict.state }
  if (verdict.then === 'again') return next
  const { because, error, payout } = verdict
  const { code, message } = error
  const createdAt = payout && createdAtOf(payout)
  const problem: PayoutProblem = {
    because,
    code,
    message,
    ...(error.code === 'idempotency_conflict' ? { differences: error.differences } : {}),
    ...(createdAt === undefined ? {} : { createdAt }),
  }
  return { ...next, problem }
}

function resultOf(payout: Payout): PayoutResult {
  const { money } = payout.paymentRequested
  const { status, processedAt } = payout.process
  return {
    // By name: what else the gateway may show of a payout is not for the store.
    money: { amount: money.amount, currencyCode: money.currencyCode },
    ...(typeof status === 'string' ? { status } : {}),
    paid: isPaid(payout),
    ...(typeof processedAt === 'string' ? { processedAt } : {}),
  }
}
