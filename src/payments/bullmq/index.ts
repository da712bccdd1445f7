/**
 * Payouts by the hundred thousand, on BullMQ over Redis or PostgreSQL.
 *
 * @module merchant-gateway/bullmq
 */

export type { EncryptionKey } from '../../shared/stores/seal.js'
export {
  type CurrencyTotal,
  checkPayoutFile,
  type LineProblem,
  type PayoutFile,
  type PayoutFileFormat,
  type PayoutRequest,
  type SendableLine,
} from '../files/payout-file.js'
export type { PayoutJobClient, PayoutJobOptions, PayoutToSend, StopReason } from '../job/index.js'
export { payoutQueue } from './payout-queue.js'
export { payoutWorker } from './payout-worker.js'
export type {
  AddOptions,
  ExpectedPayouts,
  PayoutAccount,
  PayoutConnection,
  PayoutLine,
  PayoutProblem,
  PayoutProgress,
  PayoutQueue,
  PayoutQueueOptions,
  PayoutStoreOptions,
  PayoutsAdded,
  PayoutWorker,
  PayoutWorkerOptions,
  PostgresTransaction,
  QueueStopReason,
  StoppedPayout,
} from './types.js'
