/**
 * Payins and payouts as jobs of BullMQ, over Redis or PostgreSQL: its own `Queue` and `Worker`, with what makes them safe.
 *
 * @module merchant-gateway/bullmq
 */

export type {
  AgainReason,
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
export { paymentData } from './payment-data.js'
export { paymentProcessor } from './processor.js'
export {
  type CheckedWorkerOptions,
  checkWorker,
  jobOptions,
  type PaymentJobSettings,
  type PaymentWorkerSettings,
  workerOptions,
} from './settings.js'
export type {
  EncryptionKey,
  PaymentAccount,
  PaymentData,
  PaymentDataOptions,
  PaymentProcessor,
  PaymentProcessorOptions,
  PaymentQueueJob,
  PaymentResult,
  StartedJob,
  WakeableQueue,
} from './types.js'
export { wake } from './wake.js'
