/**
 * One payout as a job, for any engine that runs a job at least once.
 *
 * @module merchant-gateway/jobs
 */

export { payoutJob } from './payout-job.js'
export type {
  AgainReason,
  PayoutById,
  PayoutJob,
  PayoutJobClient,
  PayoutJobOptions,
  PayoutJobState,
  PayoutRun,
  PayoutToSend,
  PayoutVerdict,
  StopReason,
} from './types.js'
