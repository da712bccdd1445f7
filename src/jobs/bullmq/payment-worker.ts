import type { JobJson } from 'bullmq'
import { ConfigurationError, type PaymentKind } from '../../index.js'
import { type PaymentJobClient, paymentJob } from '../index.js'
import { postgresTimeMs, redisTimeMs, watchClock, wrongClock } from './clock.js'
import { closeInTime, Runs } from './close-in-time.js'
import { isIdOnly } from './job-data.js'
import { type JobSeal, jobSeal } from './job-seal.js'
import { listenTo, withListener } from './listeners.js'
import { type BullMQ, loadBullmq } from './load-bullmq.js'
import { type EngineQueue, findJob, openQueue, scopedName, soonBack } from './open-queue.js'
import { checkOwner, readWorkerOptions } from './read-options.js'
import { untilReady } from './ready.js'
import { runPayment } from './run-payment.js'
import type { PaymentAccount, PaymentWorker, PaymentWorkerOptions } from './types.js'
import { wrongOption } from './wrong-option.js'

/** BullMQ fails a job that was taken over more often than this, by default the second time. 2^53-1 is too much for PostgreSQL, and stops all taking over. */
const endlessTakeovers = 2 ** 31 - 1

/** After a bug of ours or of `load`, which both pass with the next release or restart. */
const backoffMs = (attempt: number) => Math.min(300_000, 200 * 2 ** Math.min(attempt - 1, 20))

/**
 * Starts a worker that sends what is in a queue, in this process: creates each payment (payouts behind what customers
 * wait for) and follows it to its final status. It takes payments of this kind, of this client's merchant and gateway
 * only. Start as many in as many processes as you like; share the budget among them. A killed worker's payments are
 * taken over by others within 16 seconds.
 *
 * @param client a client; the worker does not close it.
 * @param kind `'payin'` or `'payout'`.
 * @param options where the queue is. Durations are in milliseconds.
 * @throws {ConfigurationError} for an option that is wrong, without bullmq, when BullMQ's tables are missing, when
 * the clock of this machine and the store's differ by more than `lockMs`, and without `load` when ids wait in the queue.
 * Where the clocks begin to differ later, `onError` gets that error, and the worker takes no payments until they agree;
 * where ids come later, it gets that one, and the worker stops.
 * @throws {ConnectionError} when the store does not answer within `connectTimeoutMs`.
 * @example
 * await using worker = await paymentWorker(client, 'payin', {
 *   connection: process.env.DATABASE_URL,
 *   onChange: (payin, before) => orders.setStatus(idOf(payin), statusOf(payin)),
 * })
 */
export async function paymentWorker<K extends PaymentKind>(
  client: PaymentJobClient<K> & PaymentAccount,
  kind: K,
  options: PaymentWorkerOptions<K>,
): Promise<PaymentWorker> {
  const settings = readWorkerOptions(options)
  const { engine, prefix, load, onChange } = settings
  const send = paymentJob(client, kind, settings.job)
  checkOwner(client, kind)
  const seal = jobSeal(client, kind, settings)
  const name = scopedName(settings.name, kind, client)
  const bullmq = await loadBullmq()
  const onError = guarded(settings.onError ?? warnings())
  const common = {
    prefix,
    autorun: false,
    concurrency: settings.concurrency,
    lockDuration: settings.lockMs,
    stalledInterval: settings.checkLocksMs,
    maxStalledCount: endlessTakeovers,
    removeOnComplete: { age: Math.ceil(settings.keepDoneMs / 1000) },
    // Dead letters are kept for ever.
    removeOnFail: { count: -1 },
    // How often it asks a store that had an error.
    runRetryDelay: 1_000,
    settings: { backoffStrategy: backoffMs },
  } as const
  let stopping: Promise<void> | undefined
  const needsLoad = () => {
    if (stopping !== undefined) return
    onError(noLoad())
    // It waits for the run that has called this.
    stopping = close().catch(onError)
  }
  let hasLooked = false
  const looksFirst = () => {
    if (hasLooked) return false
    hasLooked = true
    return true
  }
  const run = (job: Parameters<typeof runPayment>[0], token?: string) => runPayment(job, token, parts)
  const open = () => {
    if (engine.store === 'redis') {
      const connection = soonBack(withListener(bullmq, engine.connection))
      const Worker = workerForTornJobs(bullmq)
      const worker = new Worker(name, run, { ...common, connection }, bullmq.createRedisBackend)
      return { worker, storeTimeMs: async () => redisTimeMs(await worker.getBackend().client) }
    }
    const { connection } = engine
    const worker = new bullmq.Worker(name, run, { ...common, connection }, bullmq.createPostgresBackend)
    const { pool } = worker.getBackend().connection
    listenTo(pool)
    return { worker, storeTimeMs: () => postgresTimeMs(pool) }
  }
  const { worker, storeTimeMs } = open()
  const runs = new Runs()
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeInTime(worker, runs)
    return closing
  }
  const clockAgrees = watchClock(worker, storeTimeMs, { ...settings, onError })
  const { lockMs } = settings
  const parts = {
    bullmq,
    kind,
    send,
    seal,
    load,
    onChange,
    onError,
    runs,
    needsLoad,
    looksFirst,
    clockAgrees,
    lockMs,
  }
  worker.on('error', onError)
  const waitUntilReady = async () => {
    await worker.waitUntilReady()
    return wrongClock(storeTimeMs, lockMs)
  }
  const wrong = await untilReady({ waitUntilReady, close }, engine, settings.connectTimeoutMs)
  try {
    if (wrong !== undefined) throw wrong('start the worker again; nothing was sent by it')
    if (load === undefined) {
      const queue = openQueue(bullmq, name, settings)
      const lacksLoad = await holdsIds(queue, seal).finally(() => queue.close())
      if (lacksLoad) throw noLoad()
    }
  } catch (error) {
    await close()
    throw error
  }
  worker.run().catch(onError)
  return { close, [Symbol.asyncDispose]: close }
}

/**
 * On Redis a job can hold what is no JSON. BullMQ would give it to one worker after another, each of which fails to
 * read it; with empty data it is a job that nobody has sealed, and stops as one.
 */
function workerForTornJobs({ Worker }: BullMQ) {
  return class extends Worker {
    protected override createJob(stored: JobJson, jobId: string) {
      try {
        return super.createJob(stored, jobId)
      } catch {
        return super.createJob({ ...stored, data: '{}' }, jobId)
      }
    }
  }
}

/** So many are looked at in each state: one queue adds either ids or requests. */
const mostLooked = 10

/** Whether such jobs wait in a queue. */
async function holdsIds<K extends PaymentKind>(
  queue: Pick<EngineQueue, 'getRanges' | 'getJob' | 'getJobCounts'>,
  seal: JobSeal<K>,
): Promise<boolean> {
  const ids = await queue.getRanges(['prioritized', 'waiting', 'delayed'], 0, mostLooked - 1, true)
  const jobs = await Promise.all(ids.map((id) => findJob(queue, id)))
  return jobs.some((job, n) => {
    const data = job === undefined || job === 'unreadable' ? undefined : seal.open(ids[n] ?? '', job.data)
    return data !== undefined && isIdOnly(data)
  })
}

function noLoad() {
  return wrongOption(
    'load',
    'is missing, and the queue holds ids only: this worker takes no more of them and has sent nothing of those; start it with load, which finds a payment by its id',
  )
}

/** A listener that throws stops no payments. */
function guarded(onError: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    try {
      onError(error)
    } catch {
      // Nothing more can be done for it.
    }
  }
}

const sameWarningMs = 60_000

/** One warning a minute for each kind of error: with a wrong key, every payment meets the same one. */
function warnings(): (error: unknown) => void {
  const warnedAt = new Map<string, number>()
  return (error) => {
    const name = error instanceof Error ? error.name : typeof error
    const now = performance.now()
    if (now - (warnedAt.get(name) ?? Number.NEGATIVE_INFINITY) < sameWarningMs) return
    warnedAt.set(name, now)
    const message =
      error instanceof ConfigurationError
        ? `a payment worker: ${error.message}`
        : `a payment worker met an error (${name}) and goes on; give onError to learn more.`
    process.emitWarning(message, { type: 'MerchantGatewayPayments', code: 'MERCHANT_GATEWAY_PAYMENTS' })
  }
}
