/** A create of a payout, accepted or refused. */
export interface Create {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Payouts that were created in one go. */
export interface Run<T extends Create> {
  /** The id of its first create. */
  readonly id: string
  readonly startAt: number
  readonly endAt: number
  /** The oldest first. */
  readonly creates: readonly T[]
}

/** Payouts are a run when at least so many were created with no longer a pause between two than this. */
export const LEAST_OF_RUN = 10
export const LONGEST_PAUSE_MS = 10_000

/**
 * Finds the runs of payouts. Nothing on the wire says which payouts belong together, so it is by their times
 * alone: at least ten creates, each within ten seconds of the one before.
 *
 * @param creates the oldest first
 */
export function runsOf<T extends Create>(creates: readonly T[]): Run<T>[] {
  const runs: Run<T>[] = []
  let begin = 0
  for (let index = 1; index <= creates.length; index += 1) {
    const before = creates[index - 1]
    const next = creates[index]
    if (before === undefined) break
    if (next !== undefined && next.at - before.at <= LONGEST_PAUSE_MS) continue
    const first = creates[begin]
    if (first !== undefined && index - begin >= LEAST_OF_RUN) {
      const part = creates.slice(begin, index)
      runs.push({ id: first.id, startAt: first.at, endAt: before.at, creates: part })
    }
    begin = index
  }
  return runs
}
