import type { Job } from 'bullmq'
import { watchDelivery } from '../../client/observe/watch-delivery.js'
import { isPaid, type PaymentKind, statusOf } from '../../index.js'
import type { LoadPayment, PaymentJob, PaymentOf, PaymentVerdict } from '../index.js'
import { kindOf } from '../kinds.js'
import { createdAtOf } from '../not-ours.js'
import { stateFor } from '../state.js'
import type { Runs } from './close-in-time.js'
import { isIdOnly, type PaymentData, type PaymentResult, priorities } from './job-data.js'
import type { JobSeal } from './job-seal.js'
import type { BullMQ } from './load-bullmq.js'
import type { PaymentWorkerOptions } from './types.js'

/** For a worker that has a `load`. */
const putBackMs = 1_000

export interface RunParts<K extends PaymentKind> {
  readonly bullmq: Pick<BullMQ, 'DelayedError' | 'UnrecoverableError' | 'WaitingError'>
  readonly kind: K
  readonly send: PaymentJob<K>
  readonly seal: JobSeal<K>
  readonly load: LoadPayment<K> | undefined
  readonly onChange: PaymentWorkerOptions<K>['onChange']
  readonly onError: (error: unknown) => void
  readonly runs: Runs
  /** The job holds an id only, and there is no `load`. */
  readonly needsLoad: () => void
  /** Whether none of this worker's payments was looked at yet; true once. */
  readonly looksFirst: () => boolean
  /** Whether this worker's clock and the store's agree. */
  readonly clockAgrees: () => Promise<boolean>
  readonly lockMs: number
}

/**
 * One run of a job, as BullMQ wants its end said: the result for done, a `DelayedError` for again, an
 * `UnrecoverableError` for stop. Everything else that is thrown it runs again.
 */
export async function runPayment<K extends PaymentKind>(
  job: Job,
  token: string | undefined,
  parts: RunParts<K>,
): Promise<string> {
  const { bullmq, kind, send, seal, load, onError, looksFirst, clockAgrees } = parts
  const jobId = job.id ?? ''
  const stored = seal.open(jobId, job.data)
  // What is stored stays as it is: with the right key it can be read again, and a person can see what was written.
  if (stored === undefined) throw new bullmq.UnrecoverableError('foreign')
  // A problem that was written by a worker that was killed before it could stop the job is none yet.
  const { problem: _, ...data } = stored
  const { priority } = job
  const store = async (next: PaymentData<K>) => {
    // One that stood still for longer than its lock may know less than the worker that has taken over.
    if ((await job.extendLock(token ?? '', parts.lockMs)) !== 1) {
      throw new Error('another worker has this payment')
    }
    await job.updateData(seal.seal(jobId, next))
  }
  if (load === undefined && isIdOnly(data)) {
    parts.needsLoad()
    // That this start has sent nothing, so that it counts as none.
    await store({ ...data, state: stateFor(data.state, job.attemptsStarted) })
    await job.moveToDelayed(Date.now() + putBackMs, token)
    throw new bullmq.DelayedError()
  }
  // Before anything is sent: one whose worker is killed now is not put behind all that wait.
  if (priority === priorities.create) await job.changePriority({ priority: priorities.begun })
  const verdict = await guarded(parts, () =>
    send(paymentOf(kind, data, load), {
      starts: job.attemptsStarted,
      state: data.state,
      priority: priority === priorities.woken ? 'customer' : undefined,
    }),
  )
  const next = nextData(data, verdict, job.attemptsStarted)
  await store(next)
  const seen = await guarded(parts, () => changed(kindOf(kind).ref(data.id), verdict, data.seen, parts))
  if (seen !== undefined) await store({ ...next, seen })
  if (verdict.then !== 'stop' && !(await clockAgrees())) {
    // Its times would be wrong for all others: one of them looks at the payment now.
    await job.moveToWait(token)
    throw new bullmq.WaitingError()
  }
  if (verdict.then === 'done') return seal.sealResult(jobId, resultOf(verdict.payment, verdict.final))
  // The sentence is sealed with the job: what the gateway said in it is not for whoever reads the store.
  if (verdict.then === 'stop') {
    throw new bullmq.UnrecoverableError(`${verdict.because} (${verdict.error.code})`)
  }
  if (verdict.because === 'setup') onError(verdict.error)
  const isFollowed = verdict.state.step === 'follow'
  // What the client's option `live` refuses shows in a look, and must not show after all that wait are created.
  const looksNow = isFollowed && data.state?.step !== 'follow' && looksFirst()
  await job.changePriority({ priority: isFollowed && !looksNow ? priorities.poll : priorities.begun })
  await job.moveToDelayed(Date.now() + (looksNow ? 0 : verdict.afterMs), token)
  throw new bullmq.DelayedError()
}

/** What a merchant's function throws may name a customer, and BullMQ would store it. */
async function guarded<T>(
  { onError, runs }: Pick<RunParts<PaymentKind>, 'onError' | 'runs'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await runs.during(work)
  } catch (error) {
    onError(error)
    throw new Error(
      `the run failed (${error instanceof Error ? error.name : typeof error}), and is tried again`,
    )
  }
}

/**
 * Calls `onChange` when a look has shown another status than the one that it dealt with last. It is stored only then:
 * a worker that is killed or fails before leaves it to be called again.
 *
 * @returns what it has dealt with now; undefined when there was nothing new.
 */
async function changed<K extends PaymentKind>(
  ref: { readonly idPayin?: string; readonly idPayout?: string },
  verdict: PaymentVerdict<K>,
  seen: PaymentData<K>['seen'],
  { onChange }: Pick<RunParts<K>, 'onChange'>,
): Promise<PaymentData<K>['seen']> {
  if (onChange === undefined || verdict.then === 'stop' || verdict.payment === undefined) return undefined
  const { payment } = verdict
  const status = statusOf(payment)
  const final = verdict.then === 'done' && verdict.final
  if (seen !== undefined && seen.status === status && seen.final === final) return undefined
  const ended = watchDelivery(ref, status)
  try {
    await onChange(payment, seen && { status: seen.status, final: seen.final })
  } catch (error) {
    ended({ error })
    throw error
  }
  ended()
  return { ...(status === undefined ? {} : { status }), final }
}

/** With a `load`, nothing but the id is taken from the job. */
function paymentOf<K extends PaymentKind>(
  kind: K,
  { id, request }: PaymentData<K>,
  load: LoadPayment<K> | undefined,
) {
  const ref = kindOf(kind).ref(id)
  if (load === undefined && request !== undefined) return { ...request, ...ref }
  return { ...ref, load: () => load?.(id) }
}

function nextData<K extends PaymentKind>(
  data: PaymentData<K>,
  verdict: PaymentVerdict<K>,
  starts: number,
): PaymentData<K> {
  if (verdict.then === 'stop') return { ...data, state: verdict.state, problem: problemOf(verdict) }
  const created = verdict.created ?? data.created
  if (verdict.then === 'again') {
    return { ...data, ...(created === undefined ? {} : { created }), state: verdict.state }
  }
  // Without account and name. Killed before the job is done, or woken later, the next run only has to look.
  const { request: _, created: __, ...rest } = data
  const state = { v: 1, step: 'follow', sent: 'accepted', starts, tries: 0 } as const
  return { ...rest, ...(created === undefined ? {} : { created: withoutAccount(created) }), state }
}

function withoutAccount<T extends object>(created: T): T {
  const method: unknown = Reflect.get(created, 'paymentMethodResponse')
  if (typeof method !== 'object' || method === null) return created
  const { account: _, ...paymentMethodResponse } = { account: undefined, ...method }
  return { ...created, paymentMethodResponse }
}

function problemOf<K extends PaymentKind>({
  because,
  error,
  payment,
}: Extract<PaymentVerdict<K>, { then: 'stop' }>): NonNullable<PaymentData<K>['problem']> {
  const createdAt = payment && createdAtOf(payment)
  return {
    because,
    code: error.code,
    message: error.message,
    ...(error.code === 'idempotency_conflict' ? { differences: [...error.differences] } : {}),
    ...(createdAt === undefined ? {} : { createdAt }),
  }
}

function resultOf(payment: PaymentOf<PaymentKind>, final: boolean): PaymentResult {
  const status = statusOf(payment)
  const money = payment.paymentRequested?.money
  const processedAt = payment.process?.processedAt
  return {
    // By name: what else the gateway may show of a payment is not for the store.
    ...(money ? { money: { amount: money.amount, currencyCode: money.currencyCode } } : {}),
    ...(status === undefined ? {} : { status }),
    paid: isPaid(payment),
    final,
    ...(typeof processedAt === 'string' ? { processedAt } : {}),
  }
}
