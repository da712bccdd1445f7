import { setTimeout as pause } from 'node:timers/promises'
import type { AnyGatewayError } from 'merchant-gateway'
import type { PaymentJob } from 'merchant-gateway/jobs'
import { eachAtOnce } from '../at-once.js'
import { outcomeOf, patienceFor, type Verdict } from './line.js'
import type { Task } from './plan.js'
import type { Outcome } from './results.js'
import { now, type ResultsFile } from './results-file.js'

export interface SendAllOptions {
  readonly job: PaymentJob<'payout'>
  readonly file: ResultsFile
  /** Whether an accepted payout is followed until it is final. */
  readonly follow: boolean
  /** Whether the first payout is sent and looked up alone: it shows what the client's option `live` refuses. */
  readonly firstAlone: boolean
  /** Takes no further payout, and lets those under way come to their end. */
  readonly stop: AbortSignal
  /** Ends those under way too. */
  readonly abort: AbortSignal
}

/** Enough for ten a second when a response takes three seconds. */
const concurrency = 32
/** How often the first payout is tried alone: a gateway may not show for a moment what it has accepted. */
const mostAlone = 4

/**
 * Sends payouts round by round: the creates that are due in the order of the file, then a status request for each that
 * is accepted, until all are final. That a payout is about to be sent is in the results file before the gateway is asked.
 *
 * @returns why it gave up; undefined when all is done, or it was stopped.
 * @throws when the results file does not take an entry.
 */
export async function sendAll(
  tasks: readonly Task[],
  { job, file, follow, firstAlone, stop, abort }: SendAllOptions,
): Promise<AnyGatewayError | undefined> {
  let isAlone = firstAlone
  let answeredAt = performance.now()
  let everAnswered = false
  let gaveUp: AnyGatewayError | undefined

  const isOver = () => stop.aborted || gaveUp !== undefined
  const isOpen = (task: Task) => task.isOpen && (follow || isAlone || !isFollowed(task))
  const note = ({ idPayout }: Task, outcome: Outcome) =>
    file.append({ event: 'outcome', idPayout, at: now(), ...outcome })

  async function runOnce(task: Task): Promise<void> {
    const { idPayout, request, record, sentBefore } = task
    if (!task.isNoted) {
      await file.append({ event: 'started', idPayout, at: now(), ...record })
      task.isNoted = true
    }
    const wasFollowed = isFollowed(task)
    const run = { starts: ++task.starts, state: task.state, signal: abort }
    const verdict = await job(request ?? { idPayout, load: () => undefined }, run)
    task.isOpen = verdict.then === 'again'
    if (verdict.then === 'again') {
      task.state = verdict.state
      task.dueMs = performance.now() + verdict.afterMs
    }
    considerGivingUp(verdict)
    if (isAlone) considerAll(verdict, wasFollowed, task.starts)
    const outcome = outcomeOf(verdict, wasFollowed, sentBefore)
    if (outcome !== undefined) await note(task, outcome)
  }

  /** When no response has come for too long. */
  function considerGivingUp(verdict: Verdict): void {
    if (verdict.then !== 'again' || verdict.error === undefined) {
      everAnswered = true
      answeredAt = performance.now()
      return
    }
    const patienceMs = patienceFor(verdict, verdict.error.code, everAnswered)
    if (patienceMs !== undefined && performance.now() - answeredAt >= patienceMs) gaveUp ??= verdict.error
  }

  /** The option `live` refuses the first payout that the gateway shows, and so all of them. */
  function considerAll(verdict: Verdict, wasFollowed: boolean, starts: number): void {
    const isSeen = verdict.then === 'done' || (wasFollowed && verdict.then === 'again' && !verdict.error)
    if (isSeen || starts >= mostAlone) isAlone = false
    else if (verdict.then === 'stop' && verdict.error.code === 'configuration') gaveUp ??= verdict.error
  }

  let open = tasks.filter(isOpen)
  while (open.length > 0 && !isOver()) {
    const next = isAlone ? firstOf(open) : open
    const nextMs = next.reduce((least, { dueMs }) => Math.min(least, dueMs), Number.POSITIVE_INFINITY)
    const inMs = nextMs - performance.now()
    if (inMs > 0) await pause(inMs, undefined, { signal: stop }).catch(() => {})
    else {
      const due = next.filter(({ dueMs }) => dueMs <= performance.now())
      const round = [...due.filter((task) => !isFollowed(task)), ...due.filter(isFollowed)]
      await eachAtOnce(round, concurrency, runOnce, isOver)
    }
    open = open.filter(isOpen)
  }
  // The next run need not think that these may have been sent.
  for (const task of tasks) {
    if (task.isOpen && task.isNoted && task.state?.outcome === 'not-accepted')
      await note(task, { state: 'unsent' })
  }
  return gaveUp
}

/** One that gets no response keeps no other back. */
function firstOf(open: readonly Task[]): readonly Task[] {
  const first = open.find(({ state }) => state?.step !== 'create') ?? open[0]
  return first === undefined ? [] : [first]
}

function isFollowed({ state }: Task): boolean {
  return state?.step === 'follow'
}
