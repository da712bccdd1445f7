import { setTimeout as pause } from 'node:timers/promises'
import type { AnyGatewayError } from 'merchant-gateway'
import type { PaymentJob, PaymentJobState } from 'merchant-gateway/jobs'
import { eachAtOnce } from '../at-once.js'
import type { PayoutRequest } from '../files/payout-file.js'
import { outcomeOf, patienceFor, type Verdict } from './line.js'
import type { LineRecord } from './line-record.js'
import type { Outcome } from './results.js'
import { now, type ResultsFile } from './results-file.js'

/** A payout that is to be sent or followed. */
export interface Task {
  readonly idPayout: string
  /** Absent when its line is in the file no more: then it is followed only. */
  readonly request?: PayoutRequest
  readonly record?: LineRecord
  /** When an earlier run was about to send it. */
  readonly sentBefore?: string | undefined
  /** How often a run of its job was started, by this process or an earlier one. */
  starts: number
  state: PaymentJobState | undefined
  /** Whether the results file says that it is about to be sent. */
  isNoted: boolean
  dueMs: number
  isOpen: boolean
}

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
export function sendAll(
  tasks: readonly Task[],
  options: SendAllOptions,
): Promise<AnyGatewayError | undefined> {
  return new Sending(options).run(tasks)
}

class Sending {
  readonly #options: SendAllOptions
  #isAlone: boolean
  #answeredAt = performance.now()
  #everAnswered = false
  #gaveUp: AnyGatewayError | undefined

  constructor(options: SendAllOptions) {
    this.#options = options
    this.#isAlone = options.firstAlone
  }

  async run(tasks: readonly Task[]): Promise<AnyGatewayError | undefined> {
    const { follow, stop } = this.#options
    const isOver = () => stop.aborted || this.#gaveUp !== undefined
    const isOpen = (task: Task) => task.isOpen && (follow || this.#isAlone || !isFollowed(task))
    let open = tasks.filter(isOpen)
    while (open.length > 0 && !isOver()) {
      const next = this.#isAlone ? firstOf(open) : open
      const inMs = next.reduce((least, { dueMs }) => Math.min(least, dueMs), Infinity) - performance.now()
      if (inMs > 0) await pause(inMs, undefined, { signal: stop }).catch(() => {})
      else {
        const due = next.filter(({ dueMs }) => dueMs <= performance.now())
        const round = [...due.filter((task) => !isFollowed(task)), ...due.filter(isFollowed)]
        await eachAtOnce(round, concurrency, (task) => this.#runOnce(task), isOver)
      }
      open = open.filter(isOpen)
    }
    // The next run need not think that these may have been sent.
    for (const task of tasks) {
      if (task.isOpen && task.isNoted && task.state?.sent === 'no')
        await this.#note(task, { state: 'unsent' })
    }
    return this.#gaveUp
  }

  async #runOnce(task: Task): Promise<void> {
    const { job, file, abort } = this.#options
    const { idPayout, request, record, sentBefore } = task
    if (!task.isNoted && record !== undefined) {
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
    this.#heard(verdict)
    if (this.#isAlone) this.#showsWhatAllMeet(verdict, wasFollowed, task.starts)
    const outcome = outcomeOf(verdict, wasFollowed, sentBefore)
    if (outcome !== undefined) await this.#note(task, outcome)
  }

  #note({ idPayout }: Task, outcome: Outcome): Promise<void> {
    return this.#options.file.append({ event: 'outcome', idPayout, at: now(), ...outcome })
  }

  /** Gives up when no response has come for too long. */
  #heard(verdict: Verdict): void {
    const isSilent = verdict.then === 'again' && verdict.error !== undefined
    if (!isSilent) {
      this.#everAnswered = true
      this.#answeredAt = performance.now()
      return
    }
    const patienceMs = patienceFor(verdict, verdict.error.code, this.#everAnswered)
    if (patienceMs !== undefined && performance.now() - this.#answeredAt >= patienceMs)
      this.#gaveUp ??= verdict.error
  }

  /** The option `live` refuses the first payout that the gateway shows, and so all of them. */
  #showsWhatAllMeet(verdict: Verdict, wasFollowed: boolean, starts: number): void {
    const isSeen = verdict.then === 'done' || (wasFollowed && verdict.then === 'again' && !verdict.error)
    if (isSeen || starts >= mostAlone) this.#isAlone = false
    else if (verdict.then === 'stop' && verdict.error.code === 'configuration') this.#gaveUp ??= verdict.error
  }
}

/** One that gets no response keeps no other back. */
function firstOf(open: readonly Task[]): readonly Task[] {
  const first = open.find(({ state }) => state?.step !== 'create') ?? open[0]
  return first === undefined ? [] : [first]
}

function isFollowed({ state }: Task): boolean {
  return state?.step === 'follow'
}
