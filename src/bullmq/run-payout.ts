import type { Job } from 'bullmq'
import { isPaid, type Payout, type PayoutCreateInput } from '../index.js'
import type { PayoutJob, PayoutToSend, PayoutVerdict } from '../jobs/index.js'
import { createdAtOf } from '../jobs/not-ours.js'
import { type PayoutData, type PayoutResult, readData } from './job-data.js'
import type { BullMQ } from './load-bullmq.js'
import { priorities } from './priorities.js'
import type { PayoutProblem } from './types.js'

type Load = (idPayout: string) => PromiseLike<PayoutCreateInput | undefined> | PayoutCreateInput | undefined

export interface RunParts {
  readonly bullmq: Pick<BullMQ, 'DelayedError' | 'UnrecoverableError'>
  readonly send: PayoutJob
  readonly load: Load | undefined
  readonly onError: (error: unknown) => void
}

/**
 * One run of a job, as BullMQ wants its end said: the result for done, a `DelayedError` for again, an
 * `UnrecoverableError` for stop. Everything else that is thrown it runs again.
 */
export async function runPayout(job: Job, token: string | undefined, parts: RunParts): Promise<PayoutResult> {
  const { bullmq, send, onError } = parts
  const stored = readData(job.data)
  if (stored === undefined) throw new bullmq.UnrecoverableError('not a payout of this package')
  // A problem that was written by a worker that was killed before it could stop the job is none yet.
  const { problem: _, ...data } = stored
  const { priority } = job
  // Before anything is sent: one whose worker is killed now is not put behind all that wait.
  if (priority === priorities.create) await job.changePriority({ priority: priorities.begun })
  let verdict: PayoutVerdict
  try {
    verdict = await send(payoutOf(data, parts.load), {
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
  if (verdict.then === 'done') {
    await job.updateData(doneData(data, job.attemptsStarted))
    return resultOf(verdict.payout)
  }
  await job.updateData(nextData(data, verdict))
  if (verdict.then === 'stop') throw new bullmq.UnrecoverableError(verdict.error.message)
  if (verdict.because === 'setup') onError(verdict.error)
  const next = verdict.state.step === 'follow' ? priorities.poll : priorities.begun
  await job.changePriority({ priority: next })
  await job.moveToDelayed(Date.now() + verdict.afterMs, token)
  throw new bullmq.DelayedError()
}

function payoutOf({ idPayout, request }: PayoutData, load: Load | undefined) {
  if (request !== undefined) return { ...request, idPayout } satisfies PayoutToSend
  return {
    idPayout,
    load: () => {
      if (load !== undefined) return load(idPayout)
      throw new TypeError('the queue holds the id of this payout only: give the worker a load')
    },
  }
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
