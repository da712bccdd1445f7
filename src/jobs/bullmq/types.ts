import type { GatewayClient, PaymentKind } from '../../index.js'
import type { CreatedPayment, LoadPayment, PaymentJobOptions, PaymentOf } from '../types.js'

/** What of a client sealing needs. */
export type PaymentAccount = Pick<GatewayClient, 'account' | 'deriveKey'>

/** What the store holds of a payment: nobody who reads it sees an account, a name or an amount. */
export interface PaymentData<K extends PaymentKind> {
  /** `'payin'` or `'payout'`. */
  readonly kind: K
  /** The payment's id. */
  readonly id: string
  /** The request and how far it is, encrypted (AES-256-GCM) for this account, kind and id. */
  readonly sealed: string
}

/** A key for AES-256: 32 random bytes, as they are or as text in base64 or hex. */
export type EncryptionKey = string | Uint8Array

/** Options of `paymentData`. */
export interface PaymentDataOptions {
  /**
   * Keys of 32 random bytes, in base64, hex or as bytes. The first encrypts, all decrypt. Default: a key that
   * `client.deriveKey` derives from the signing key, which decrypts in any case; a client with a `signer` has none.
   */
  encryptionKeys?: readonly EncryptionKey[] | undefined
}

/** Options of `paymentProcessor`, those of `paymentJob` among them. Durations are in milliseconds. */
export interface PaymentProcessorOptions<K extends PaymentKind>
  extends PaymentJobOptions,
    PaymentDataOptions {
  /** Finds the request of a payment by its id, in place of the one that is in the job's data. */
  load?: LoadPayment<K> | undefined
  /** Called at least once when the gateway has accepted the payment. While it rejects, the job runs again. */
  onCreated?: ((created: CreatedPayment<K>) => unknown) | undefined
  /**
   * Called at least once with each status that a status request shows, in order. Change your order and what follows
   * from it in one transaction, and only where it is not that already: two processes may call it at the same time.
   * While it rejects, the job runs again. `idOf(payment)` is the id.
   */
  onChange?: ((payment: PaymentOf<K>) => unknown) | undefined
}

/** What BullMQ keeps as the result of a job, for people who read a dashboard. */
export interface PaymentResult {
  /** The status when the job ended. */
  readonly status?: string
  /** False for a payin that was followed for `followForMs` and may still be paid. */
  readonly final: boolean
}

/** What of BullMQ's `Job` the processor uses. */
export interface StartedJob<K extends PaymentKind> {
  /** The payment's id, as `jobOptions` writes it. */
  readonly id?: string | undefined
  /** What `paymentData` gave, or a later run stored. */
  readonly data: PaymentData<K>
  /** What `jobOptions` gave. */
  readonly opts: {
    /** How often BullMQ runs a job that fails. */
    readonly attempts?: number | undefined
    /** Whether BullMQ forgets a job that has failed. */
    readonly removeOnFail?: unknown
  }
  /** Smaller is sooner. */
  readonly priority: number
  /** How often the job was started, killed runs included. */
  readonly attemptsStarted: number
  /** Stores what the next run needs. */
  updateData(data: PaymentData<K>): Promise<unknown>
  /** Changes when it comes, beside other jobs that are due: smaller is sooner. */
  changePriority(options: { priority: number }): Promise<unknown>
  /** Puts it off. */
  moveToDelayed(timestamp: number, token?: string): Promise<unknown>
}

/** A processor for BullMQ's `Worker`. */
export type PaymentProcessor<K extends PaymentKind> = (
  job: StartedJob<K>,
  token?: string,
  signal?: AbortSignal,
) => Promise<PaymentResult>

/** What of BullMQ's `Job` `wake` uses. */
export interface PaymentQueueJob {
  /** Where it is. */
  getState(): Promise<string>
  /** Changes when it comes, beside other jobs that are due: smaller is sooner. */
  changePriority(options: { priority: number }): Promise<unknown>
  /** Makes a delayed job due. */
  promote(): Promise<unknown>
  /** Runs a completed job again; with `resetAttemptsMade`, earlier failures count no more. */
  retry(state: 'completed', options: { resetAttemptsMade: boolean }): Promise<unknown>
}

/** What of BullMQ's `Queue` `wake` uses. */
export interface WakeableQueue {
  /** A job by its id. */
  getJob(id: string): Promise<PaymentQueueJob | undefined>
}
