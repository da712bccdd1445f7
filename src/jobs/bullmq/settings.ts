import { ConfigurationError } from '../../index.js'
import type { PaymentIdOf } from '../types.js'
import type { StartedJob } from './types.js'

/** A number that no payment reaches. */
const endless = 1_000_000
/** How long a payment that is done is known, in seconds: thirty days. */
const keepDoneSecs = 2_592_000
/** The longest lock and the longest time between two checks: the payments of a killed worker wait for both. */
const longestMs = 60_000

/** The smallest is first: a payment that a callback is about, then one that may have been sent, then the new ones. */
export const priorities = { notified: 1, again: 2, first: 10 } as const

/** What `jobOptions` gives to BullMQ. */
export interface PaymentJobSettings {
  /** The payment's id. */
  readonly jobId: string
  /** The smallest goes first. */
  readonly priority: number
  /** A payment is tried until it is known. */
  readonly attempts: number
  /** Milliseconds after an error of the store or of a function of yours. */
  readonly backoff: {
    /** The same time after each error. */
    readonly type: string
    /** Milliseconds. */
    readonly delay: number
    /** The part of it that is left to chance. */
    readonly jitter: number
  }
  /** Lines of a stack trace that BullMQ keeps. */
  readonly stackTraceLimit: number
  /** A payment that is done stays for thirty days, and is not taken again. */
  readonly removeOnComplete: {
    /** Seconds. */
    readonly age: number
  }
  /** A payment that a person has to look at stays until it is removed. */
  readonly removeOnFail: boolean
}

/**
 * Options of `Queue.add` and `addBulk` for one payment. BullMQ takes a payment's id once for as long as it keeps the
 * job: thirty days after it is done, and until you remove it where it has failed.
 *
 * @param payment anything with the payment's id.
 * @example
 * await queue.addBulk(payouts.map((payout) => ({ name: 'payout', data: paymentData(client, payout), opts: jobOptions(payout) })))
 */
export function jobOptions(payment: PaymentIdOf<'payin'> | PaymentIdOf<'payout'>): PaymentJobSettings {
  return {
    jobId: jobIdOf('idPayin' in payment ? payment.idPayin : payment.idPayout),
    priority: priorities.first,
    attempts: endless,
    backoff: { type: 'fixed', delay: 5_000, jitter: 0.5 },
    stackTraceLimit: 1,
    removeOnComplete: { age: keepDoneSecs },
    removeOnFail: false,
  }
}

/**
 * The payment's id, percent-encoded where BullMQ can't have that: it refuses integers and colons, and on Redis keys
 * that end in `wait` or `events` are its own.
 */
export function jobIdOf(id: string): string {
  const encoded = id.replace(/[%:]/g, encodeURIComponent)
  if (!/^(?:-?\d+|NaN|[a-z-]+)$/.test(encoded)) return encoded
  return `%${encoded.charCodeAt(0).toString(16).toUpperCase()}${encoded.slice(1)}`
}

/** What `workerOptions` sets of BullMQ's `Worker`. */
export interface PaymentWorkerSettings {
  /** Payments under way at once. */
  readonly concurrency: number
  /** Milliseconds for which a job belongs to a worker that doesn't renew that. */
  readonly lockDuration: number
  /** Milliseconds between two searches for jobs of killed workers. */
  readonly stalledInterval: number
  /** How often another worker may take a job over. */
  readonly maxStalledCount: number
}

/**
 * Options of BullMQ's `Worker`, beside its `connection`. Another worker takes over what a killed one has begun within
 * about eight seconds, however often that happens.
 *
 * @example
 * const worker = new Worker('payouts', paymentProcessor(client, 'payout'), { connection, ...workerOptions })
 */
export const workerOptions: PaymentWorkerSettings = {
  concurrency: 5,
  lockDuration: 4_000,
  stalledInterval: 2_000,
  maxStalledCount: endless,
}

/** What of the options of a `Worker` is checked. */
export interface CheckedWorkerOptions {
  /** How often BullMQ gives a job of a killed worker to another one. */
  readonly maxStalledCount?: number | undefined
  /** How often BullMQ starts a job. */
  readonly maxStartedAttempts?: number | undefined
  /** Milliseconds for which a job belongs to a worker that doesn't renew that. */
  readonly lockDuration?: number | undefined
  /** Milliseconds between two renewals. */
  readonly lockRenewTime?: number | undefined
  /** Milliseconds between two searches for jobs of killed workers. */
  readonly stalledInterval?: number | undefined
  /** No such search. */
  readonly skipStalledCheck?: boolean | undefined
  /** No renewal. */
  readonly skipLockRenewal?: boolean | undefined
}

/** A setting, and what it would do to a payment. */
type Check<T> = readonly [isWrong: (options: T) => boolean, sentence: string]

const workerChecks: readonly Check<CheckedWorkerOptions>[] = [
  [
    ({ maxStalledCount = 1 }) => maxStalledCount < endless,
    `maxStalledCount must be at least ${endless}, or a payment whose workers are killed is given up`,
  ],
  [
    ({ maxStartedAttempts }) => maxStartedAttempts !== undefined,
    'maxStartedAttempts must be left out, or a payment that is followed for long is given up',
  ],
  [
    ({ lockDuration = 30_000 }) => lockDuration > longestMs,
    `lockDuration must be at most ${longestMs} (ms), or the payments of a killed worker wait for long`,
  ],
  [
    ({ lockDuration = 30_000, lockRenewTime = 0 }) => lockRenewTime >= lockDuration,
    'lockRenewTime must be less than lockDuration, or two workers run one payment',
  ],
  [
    ({ stalledInterval = 30_000 }) => stalledInterval > longestMs,
    `stalledInterval must be at most ${longestMs} (ms), or the payments of a killed worker wait for long`,
  ],
  [
    ({ skipStalledCheck = false }) => skipStalledCheck,
    'skipStalledCheck must be left out, or nobody takes over the payments of a killed worker',
  ],
  [
    ({ skipLockRenewal = false }) => skipLockRenewal,
    'skipLockRenewal must be left out, or two workers run one payment',
  ],
]

const jobChecks: readonly Check<StartedJob<never>['opts']>[] = [
  [
    ({ attempts = 1 }) => attempts < endless,
    `attempts must be at least ${endless}, or a payment that may have been sent is given up`,
  ],
  [
    ({ removeOnFail }) => removeOnFail !== false,
    'removeOnFail must be false, or nobody sees why a payment needs a person',
  ],
]

/**
 * Checks the settings of a worker, at its start: with others than `workerOptions`, a kill may lose or repeat work.
 *
 * @param worker BullMQ's `Worker`.
 * @throws naming each setting that is wrong ({@link ConfigurationError}).
 * @example
 * checkWorker(worker)
 */
export function checkWorker(worker: { readonly opts: CheckedWorkerOptions }): void {
  const wrong = wrongOf(worker.opts, workerChecks)
  if (wrong === undefined) return
  throw new ConfigurationError(
    `${wrong}. Spread workerOptions into the options of this worker, and leave these settings as they are; payments that it has begun are safe.`,
  )
}

export function wrongJobOptions(options: StartedJob<never>['opts']): string | undefined {
  return wrongOf(options, jobChecks)
}

function wrongOf<T>(options: T, checks: readonly Check<T>[]): string | undefined {
  const wrong = checks.filter(([isWrong]) => isWrong(options)).map(([, sentence]) => sentence)
  return wrong.length === 0 ? undefined : wrong.join('; ')
}
