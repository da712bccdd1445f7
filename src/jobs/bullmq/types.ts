import type { GatewayClient, GatewayErrorCode, Money, PaymentKind, PaymentStatus } from '../../index.js'
import type { EncryptionKey } from '../../stores/seal.js'
import type {
  CreatedPayment,
  LoadPayment,
  PaymentIdOf,
  PaymentJobOptions,
  PaymentOf,
  PaymentToSend,
  StopReason,
} from '../index.js'

/** What of a client the queue and its workers need, to seal what they store. */
export type PaymentAccount = Pick<GatewayClient, 'account' | 'deriveKey'>

/**
 * Where the queue is: an address (`redis://…`, `rediss://…`, `postgres://…`), or what BullMQ takes as its connection:
 * a client or the options of ioredis, a client of node-redis, the options of a `pg.Pool` and the schema that holds BullMQ's tables.
 */
export type QueueConnection =
  | string
  | URL
  | {
      /** An address, options of ioredis, or a client whose `maxRetriesPerRequest` is null. */
      readonly redis: string | URL | object
    }
  | {
      /** An address, or options of a `pg.Pool`. */
      readonly postgres: string | URL | object
      /** The schema of BullMQ's tables. Default `bullmq`. */
      readonly schema?: string | undefined
    }

/** What queue and worker must agree on. Durations are in milliseconds. */
export interface QueueStoreOptions {
  /** Where the queue is. */
  connection: QueueConnection
  /** Name of the queue: letters, digits, dashes and underscores. Default `payments`. In the store it is followed by the kind and `client.account`. */
  name?: string | undefined
  /** What Redis's keys begin with; `{payments}`, in braces, on a cluster. Default `merchant-gateway`. PostgreSQL has schemas for that. */
  prefix?: string | undefined
  /**
   * Keys of 32 random bytes for AES-256-GCM, in base64, hex or as bytes, by which jobs are sealed: the first seals, all
   * open, so that they can be changed without a stop: add the new one behind the old one everywhere, then put it first.
   * Default: one that `client.deriveKey` derives from the signing key, which opens in any case.
   */
  encryptionKeys?: readonly EncryptionKey[] | undefined
  /** Creates or renews BullMQ's tables on PostgreSQL, by a role that may. Default false: they are checked, and the error says what to do. */
  migrate?: boolean | undefined
  /** How long to wait for the store at the start. Default 10 000. */
  connectTimeoutMs?: number | undefined
}

/** Options of `paymentQueue`. */
export interface PaymentQueueOptions extends QueueStoreOptions {
  /** `'ids'` when the workers have a `load`: the store then holds no account, name or amount. Default `'requests'`. */
  holds?: 'requests' | 'ids' | undefined
}

/** A connection of pg in a transaction that you began, and will commit or roll back. */
export interface PostgresTransaction {
  /** `client.query` of pg. */
  query(
    text: string,
    values?: unknown[],
  ): Promise<{
    /** What the statement gave. */
    rows: Record<string, unknown>[]
  }>
}

/** Options of `add` and `addAll`. */
export interface AddOptions {
  /** Adds them in your transaction over PostgreSQL: they are in the queue when it commits, and never were when it rolls back. */
  transaction?: PostgresTransaction | undefined
  /** Ends the adding between two batches. What was added stays. */
  signal?: AbortSignal | undefined
}

/** What became of the payments that were given to `addAll`. */
export interface PaymentsAdded {
  /** How many were given. */
  readonly given: number
  /** How many of them the queue did not know. */
  readonly added: number
  /**
   * Ids that the queue knew with another request: it keeps the one that it had, and nothing of the new one is sent.
   * Always empty where the queue holds ids only.
   */
  readonly differing: readonly string[]
}

/** Options of `created`. */
export interface CreatedOptions {
  /** The longest wait, in milliseconds. Default 10 000. */
  maxWaitMs?: number | undefined
  /** Ends the wait. */
  signal?: AbortSignal | undefined
}

/** Payments, or their ids. */
export type ExpectedPayments<K extends PaymentKind> = AsyncIterable<PaymentIdOf<K>> | Iterable<PaymentIdOf<K>>

/** The payments of a queue, counted. */
export interface QueueProgress {
  /** All that the queue knows. */
  readonly total: number
  /** Not sent yet. */
  readonly waiting: number
  /** At a worker now. */
  readonly active: number
  /** Accepted and followed to their final status, or to be asked again. */
  readonly following: number
  /** Final, paid or not, or followed to the end of `followForMs`: the report says which. */
  readonly done: number
  /** In need of a person: see `refused()`. */
  readonly stopped: number
  /** Whether the queue is paused. */
  readonly paused: boolean
}

/**
 * Why a payment of a queue needs a person: see {@link StopReason}; or its job is not this queue's: sealed by nobody, by
 * another key or for another place, or changed since (`foreign`).
 */
export type QueueStopReason = StopReason | 'foreign'

/** Why a payment stopped. */
export interface PaymentProblem {
  /** What a person is wanted for. */
  readonly because: QueueStopReason
  /** The code of the error. */
  readonly code: GatewayErrorCode
  /** What happened and what to do, in one sentence that names no account. */
  readonly message: string
  /** Of a conflict: the fields that differ; none where the payout was there before any run asked for it. */
  readonly differences?: readonly string[]
  /** Of a payout that was there before any run asked for it: when the gateway made it, ISO 8601, UTC. */
  readonly createdAt?: string
}

/** What became of one payment. */
export type PaymentLine<K extends PaymentKind> = PaymentIdOf<K> & {
  /**
   * Where it stands: `done` is final or, for payins, followed for `followForMs`, which is not yet paid; `missing` was
   * expected and is not in the queue.
   */
  readonly state: 'waiting' | 'following' | 'done' | 'missing' | QueueStopReason
  /** As the gateway shows it once it is done; before that as it was asked for, where the queue holds that. */
  readonly money?: Money
  /** The status when it was done. */
  readonly status?: string
  /** Of one that is done: whether that status is SUCCESS. */
  readonly paid?: boolean
  /** Of one that is done: whether that status is final. */
  readonly final?: boolean
  /** When the gateway processed it: ISO 8601, UTC. */
  readonly processedAt?: string
  /** How often its job was started. */
  readonly starts: number
  /** Why it stopped. */
  readonly problem?: PaymentProblem
}

/** A payment that needs a person. */
export type StoppedPayment<K extends PaymentKind> = PaymentLine<K> & {
  /** What a person is wanted for. */
  readonly state: QueueStopReason
  /** Why it stopped. */
  readonly problem: PaymentProblem
}

/** What `onChange` dealt with last. */
export interface ChangeBefore {
  /** The status; undefined where the payment showed none. */
  readonly status: PaymentStatus | undefined
  /** Whether it was final: then something has come after the end, such as a return. */
  readonly final: boolean
}

/**
 * A merchant's payments of one kind, in Redis or PostgreSQL. Any number of processes may have one of the same name. While
 * the store is away, each call ends with a `ConnectionError`: call again when it is there.
 */
export interface PaymentQueue<K extends PaymentKind> {
  /** Adds one payment; one that the queue knows stays as it is. */
  add(payment: PaymentToSend<K>, options?: AddOptions): Promise<PaymentsAdded>
  /**
   * Adds payments in batches, as fast as they come. Again after a crash: what the queue knows stays as it is.
   *
   * @throws {InvalidInputError} for one that has no usable id, or whose id came before with another request; those of the batches before it are in the queue.
   */
  addAll(
    payments: AsyncIterable<PaymentToSend<K>> | Iterable<PaymentToSend<K>>,
    options?: AddOptions,
  ): Promise<PaymentsAdded>
  /**
   * For a page that waits: resolves when a worker has created the payment, with how the customer pays; or with
   * `problem`, when it stopped and a person has to look. In your transaction, call it after the COMMIT.
   *
   * @param id the payment's id.
   * @throws {WaitTimeoutError} when neither came in time: the payment stays in the queue, so call again.
   * @throws {InvalidInputError} when the queue has no such payment.
   * @throws {AbortedError} when `signal` ended the wait; the payment stays in the queue.
   */
  created(
    id: string,
    options?: CreatedOptions,
  ): Promise<
    CreatedPayment<K> & {
      /** Why it stopped, where it has. */
      readonly problem: PaymentProblem | undefined
    }
  >
  /** Lets no worker take another payment; those that are under way come to the end of their run. */
  pause(): Promise<void>
  /** Lets workers go on. */
  resume(): Promise<void>
  /** How far it is. */
  progress(): Promise<QueueProgress>
  /**
   * A line for each payment. Exact for those that don't move while it is read.
   *
   * @param expected what should be in the queue, such as the payments that you gave to `addAll`: what is not comes last, as `missing`.
   */
  report(expected?: ExpectedPayments<K>): AsyncIterableIterator<PaymentLine<K>>
  /** The payments that need a person. */
  refused(): AsyncIterableIterator<StoppedPayment<K>>
  /** Runs a stopped payment again, after somebody has looked. False when it is not stopped. */
  retry(id: string): Promise<boolean>
  /**
   * A callback has come: the payment is looked at within a second, whatever waits; one that was done, too, since it may
   * have been paid late or returned. False when the queue has no such payment, or it waits for a person.
   */
  wake(id: string): Promise<boolean>
  /** Closes the connections that the queue opened. */
  close(): Promise<void>
  /** `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Options of `paymentWorker`. Durations are in milliseconds. */
export interface PaymentWorkerOptions<K extends PaymentKind> extends QueueStoreOptions {
  /** How many payments are under way at once. Default 5: ten a second at half a second each. */
  concurrency?: number | undefined
  /** Finds the request of a payment of which the queue holds the id only. */
  load?: LoadPayment<K> | undefined
  /**
   * Called at least once with each status that a look shows, in order, and for each payment by one worker at a time,
   * whatever process that is in. Change your order and what follows from it in one transaction, and only where it is
   * not that already. While it rejects, it is called again with the payment as it is by then. `idOf(payment)` is the id.
   *
   * @param before what it dealt with last; undefined the first time.
   */
  onChange?: ((payment: PaymentOf<K>, before: ChangeBefore | undefined) => unknown) | undefined
  /** How long a payment is kept after it is done, for the report. Default 2 592 000 000, thirty days; stopped ones are kept until they are retried. */
  keepDoneMs?: number | undefined
  /** How long a payment belongs to a worker that doesn't say that it lives. Default 8 000; a killed worker's payments are taken over within that and twice `checkLocksMs`. */
  lockMs?: number | undefined
  /** How often workers look for payments of killed ones. Default 4 000. */
  checkLocksMs?: number | undefined
  /** Called with errors of the store, of `load` and of `onChange`; the work goes on by itself. Default: a process warning. */
  onError?: ((error: unknown) => void) | undefined
  /** See `PaymentJobOptions`. */
  job?: PaymentJobOptions | undefined
}

/** A worker that sends what is in a queue. */
export interface PaymentWorker {
  /**
   * Takes no more payments, and resolves when those under way have come to the end of their run. The store may take ten
   * seconds more, where it is away or stands still: then other workers look at these payments again.
   */
  close(): Promise<void>
  /** `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
