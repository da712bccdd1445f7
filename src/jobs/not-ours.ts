import { timeIn } from '../client/input/time-in.js'
import { IdempotencyConflictError, type Payin, type Payout } from '../index.js'

/** Of a payout that the gateway had before any run of the job asked for it. */
export function notOurs(idPayout: string, payout: Payin | Payout): IdempotencyConflictError {
  const createdAt = createdAtOf(payout)
  const since = createdAt === undefined ? '' : ` since ${createdAt}`
  return new IdempotencyConflictError(
    `the gateway has had a payout under this id${since}, and no run of this job has made it, so this job has paid nothing and the account of that payout is not known here; find out who made it: if it is the one that you mean, run this job again, and if not, send this one under a new id.`,
    { idPayout, outcome: 'accepted', status: 409, attempts: 1, differences: [] },
  )
}

/** When the gateway made a payment, if it says that. */
export function createdAtOf({ process }: Payin | Payout): string | undefined {
  const time = timeIn(process?.createdAt)
  return time === undefined ? undefined : new Date(time).toISOString()
}

/** Clocks and time zones differ by less. */
const dayMs = 86_400_000

/**
 * Whether the gateway says that it made a payout a day or more before this moment, on this machine's clock: nothing
 * that was sent since then has made it.
 */
export function wasMadeBefore(payout: Payout, atMs: number): boolean {
  const madeAt = timeIn(payout.process.createdAt)
  return madeAt !== undefined && madeAt < atMs - dayMs
}
