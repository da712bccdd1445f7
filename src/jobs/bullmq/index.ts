/**
 * Payins and payouts as jobs, on BullMQ over Redis or PostgreSQL.
 *
 * @module merchant-gateway/bullmq
 */

export {
  type CurrencyTotal,
  checkPayoutFile,
  type LineProblem,
  type PayoutFile,
  type PayoutFileFormat,
  type PayoutRequest,
  type SendableLine,
} from '../../../packages/cli/src/files/payout-file.js'
export type { EncryptionKey } from '../../stores/seal.js'
export type {
  CreatedPayment,
  LoadPayment,
  PaymentIdOf,
  PaymentInputOf,
  PaymentJobClient,
  PaymentJobOptions,
  PaymentOf,
  PaymentToSend,
  StopReason,
} from '../index.js'
export { paymentQueue } from './payment-queue.js'
export { paymentWorker } from './payment-worker.js'
export type {
  AddOptions,
  ChangeBefore,
  CreatedOptions,
  ExpectedPayments,
  PaymentAccount,
  PaymentLine,
  PaymentProblem,
  PaymentQueue,
  PaymentQueueOptions,
  PaymentsAdded,
  PaymentWorker,
  PaymentWorkerOptions,
  PostgresTransaction,
  QueueConnection,
  QueueProgress,
  QueueStopReason,
  QueueStoreOptions,
  StoppedPayment,
} from './types.js'
