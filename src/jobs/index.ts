/**
 * One payment as a job, for any engine that runs a job at least once.
 *
 * @module merchant-gateway/jobs
 */

export { paymentJob } from './payment-job.js'
export type {
  AgainReason,
  CreatedPayment,
  LoadPayment,
  PaymentById,
  PaymentIdOf,
  PaymentInputOf,
  PaymentJob,
  PaymentJobClient,
  PaymentJobOptions,
  PaymentJobState,
  PaymentOf,
  PaymentRun,
  PaymentToSend,
  PaymentVerdict,
  StopReason,
} from './types.js'
