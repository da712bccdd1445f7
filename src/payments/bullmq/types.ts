import type { GatewayClient, GatewayErrorCode, Money, PayoutCreateInput } from '../../index.js'
import type { EncryptionKey } from '../../shared/stores/seal.js'
import type { PayoutJobOptions, PayoutToSend, StopReason } from '../job/index.js'

/** What of a client the queue and its workers need, to seal what they store. */
export type PayoutAccount = Pick<GatewayClient, 'account' | 'deriveKey'>

/**
 * Where the queue is: an address (`redis://…`, `rediss://…`, `postgres://…`), or what BullMQ takes as its connection:
 * a client or the options of ioredis, a client of node-redis, the options of a `pg.Pool` and the schema that holds BullMQ's tables.
 */
export type PayoutConnection =
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
export interface PayoutStoreOptions {
  /** Where the queue is. */
  connection: PayoutConnection
  /** Name of the queue: letters, digits, dashes and underscores. Default `payouts`. In the store it is followed by `client.account`. */
  name?: string | undefined
  /** What Redis's keys begin with; `{payouts}`, in braces, on a cluster. Default `merchant-gateway`. PostgreSQL has schemas for that. */
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

/** Options of `payoutQueue`. */
export interface PayoutQueueOptions extends PayoutStoreOptions {
  /** A client of the merchant whose payouts they are, at the gateway that they go to. Nothing is sent by it. */
  client: PayoutAccount
  /** `'ids'` when the workers have a `load`: the store then holds no account, name or amount. Default `'requests'`. */
  holds?: 'requests' | 'ids' | undefined
  /** How many payouts go to the store at once. Default 100. */
  batchSize?: number | undefined
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

/** What became of the payouts that were given to `addAll`. */
export interface PayoutsAdded {
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

/** Payouts, or their ids. */
export type ExpectedPayouts =
  | AsyncIterable<Pick<PayoutToSend, 'idPayout'>>
  | Iterable<Pick<PayoutToSend, 'idPayout'>>

/** A run of payouts, counted. */
export interface PayoutProgress {
  /** All that the queue knows. */
  readonly total: number
  /** Not sent yet. */
  readonly waiting: number
  /** At a worker now. */
  readonly active: number
  /** Accepted and followed to their final status, or to be asked again. */
  readonly following: number
  /** Final, paid or not: the report says which. */
  readonly done: number
  /** In need of a person: see `refused()`. */
  readonly stopped: number
  /** Whether the queue is paused. */
  readonly paused: boolean
  /** How many came to their end in a second, over the last minute in which this object was asked; undefined at first. */
  readonly perSecond: number | undefined
  /** How long the rest takes at that rate, in milliseconds; undefined while there is none. */
  readonly leftMs: number | undefined
}

/**
 * Why a payout of a queue needs a person: see {@link StopReason}; or its job is not this queue's: sealed by nobody, by
 * another key or for another place, or changed since (`foreign`).
 */
export type QueueStopReason = StopReason | 'foreign'

/** Why a payout stopped. */
export interface PayoutProblem {
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

/** What became of one payout. */
export interface PayoutLine {
  /** Your id of the payout. */
  readonly idPayout: string
  /** Where it stands: `done` is final, which is not yet paid; `missing` was expected and is not in the queue. */
  readonly state: 'waiting' | 'following' | 'done' | 'missing' | QueueStopReason
  /** As the gateway shows it once it is done; before that as it was asked for, where the queue holds that. */
  readonly money?: Money
  /** The final status. */
  readonly status?: string
  /** Whether the final status is SUCCESS. */
  readonly paid?: boolean
  /** When the gateway processed it: ISO 8601, UTC. */
  readonly processedAt?: string
  /** How often its job was started. */
  readonly starts: number
  /** Why it stopped. */
  readonly problem?: PayoutProblem
}

/** A payout that needs a person. */
export type StoppedPayout = PayoutLine & {
  /** What a person is wanted for. */
  readonly state: QueueStopReason
  /** Why it stopped. */
  readonly problem: PayoutProblem
}

/** Payouts by the hundred thousand, in Redis or PostgreSQL. Any number of processes may have one of the same name. */
export interface PayoutQueue {
  /** Adds one payout; one that the queue knows stays as it is. */
  add(payout: PayoutToSend, options?: AddOptions): Promise<PayoutsAdded>
  /**
   * Adds payouts in batches, as fast as they come. Again after a crash: what the queue knows stays as it is.
   *
   * @throws {InvalidInputError} for one that has no usable `idPayout`, or whose id came before with another request; those of the batches before it are in the queue.
   */
  addAll(
    payouts: AsyncIterable<PayoutToSend> | Iterable<PayoutToSend>,
    options?: AddOptions,
  ): Promise<PayoutsAdded>
  /** Lets no worker take another payout; those that are under way come to the end of their run. */
  pause(): Promise<void>
  /** Lets workers go on. */
  resume(): Promise<void>
  /** How far it is. */
  progress(): Promise<PayoutProgress>
  /**
   * A line for each payout. Exact for those that don't move while it is read.
   *
   * @param expected what should be in the queue, such as the payouts that you gave to `addAll`: what is not comes last, as `missing`.
   */
  report(expected?: ExpectedPayouts): AsyncIterableIterator<PayoutLine>
  /** The payouts that need a person. */
  refused(): AsyncIterableIterator<StoppedPayout>
  /** Runs a stopped payout again, after somebody has looked. False when it is not stopped. */
  retry(idPayout: string): Promise<boolean>
  /**
   * A callback has come: the payout is looked at within a second, whatever waits. False when the queue has no
   * such payout that is not final.
   */
  wake(idPayout: string): Promise<boolean>
  /** Closes the connections that the queue opened. */
  close(): Promise<void>
  /** `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Options of `payoutWorker`. Durations are in milliseconds. */
export interface PayoutWorkerOptions extends PayoutStoreOptions {
  /** How many payouts are under way at once. Default 5: ten a second at half a second each. */
  concurrency?: number | undefined
  /** Finds the request of a payout of which the queue holds the id only. */
  load?:
    | ((idPayout: string) => PromiseLike<PayoutCreateInput | undefined> | PayoutCreateInput | undefined)
    | undefined
  /** How long a payout is kept after it is done, for the report. Default 2 592 000 000, thirty days; stopped ones are kept until they are retried. */
  keepDoneMs?: number | undefined
  /** How long a payout belongs to a worker that doesn't say that it lives. Default 8 000; a killed worker's payouts are taken over within that and twice `checkLocksMs`. */
  lockMs?: number | undefined
  /** How often workers look for payouts of killed ones. Default 4 000. */
  checkLocksMs?: number | undefined
  /** Told of errors of the store and of `load`; the work goes on by itself. Default: a process warning. */
  onError?: ((error: unknown) => void) | undefined
  /** See `PayoutJobOptions`. */
  job?: PayoutJobOptions | undefined
}

/** A worker that sends what is in a queue. */
export interface PayoutWorker {
  /** Takes no more payouts, and resolves when those under way have come to the end of their run. */
  close(): Promise<void>
  /** `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
