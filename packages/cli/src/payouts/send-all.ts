import { setTimeout as pause } from 'node:timers/promises'
import { type AnyGatewayError, isPaid, type Payout } from '../../../../src/index.js'
import type { PaymentJob, PaymentJobState, PaymentVerdict } from '../../../../src/jobs/index.js'
import { wasMadeBefore } from '../../../../src/jobs/not-ours.js'
import type { SendableLine } from '../files/payout-file.js'
import { amountText } from '../files/totals.js'
import { type Counter, stateOf } from './counts.js'
import type { LineRecord } from './line-record.js'
import type { Outcome } from './results.js'
import { now, type ResultsFile } from './results-file.js'

export interface SendAllOptions {
  readonly job: PaymentJob<'payout'>
  readonly file: ResultsFile
  readonly counter: Counter
  /** Whether an accepted payout is followed until it is final. */
  readonly follow: boolean
  /**
   * Whether the first that is accepted is looked at before another is sent: what the client's option `live` refuses
   * shows then, and not after the whole file.
   */
  readonly firstAlone: boolean
  /** Takes no further payout, and lets those under way come to their end. */
  readonly stop: AbortSignal
  /** Ends those under way too. */
  readonly abort: AbortSignal
  readonly limits: SendLimits
  /** Told once of each time in which no answer came. */
  readonly onOutage: (outage: Outage) => void
}

export interface Outage {
  readonly error: AnyGatewayError
  /** Since when nothing was answered. */
  readonly silentMs: number
  /** How long that is borne. */
  readonly patienceMs: number
}

export interface SendLimits {
  /** How many payouts are under way at once. */
  readonly concurrency: number
  /** How long to ask in vain when nothing was ever answered, in milliseconds. */
  readonly firstAnswerMs: number
  /** How long to ask in vain later on. */
  readonly nextAnswerMs: number
  /** After how long without an answer it is told that it goes on asking. */
  readonly outageMs: number
}

/** Why it ended before all was done. */
export interface GaveUp {
  readonly error: AnyGatewayError
}

/** A payout that is to be sent or followed. */
export interface Task {
  readonly idPayout: string
  /** Absent when its line is in the file no more: then it is followed only. */
  readonly line?: SendableLine
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

/**
 * Sends payouts round by round: the creates that are due in the order of the file, then a look at each that is
 * accepted, until all are final. That a payout is about to be sent is in the results file before the gateway is asked.
 *
 * @returns why it gave up; undefined when all is done, or it was told to stop.
 * @throws when the results file does not take an entry.
 */
export async function sendAll(tasks: readonly Task[], options: SendAllOptions): Promise<GaveUp | undefined> {
  return new Sending(options).run(tasks)
}

class Sending {
  readonly #options: SendAllOptions
  #answeredAt = performance.now()
  #everAnswered = false
  #isOutage = false
  #gaveUp: GaveUp | undefined
  #hasFailed = false

  constructor(options: SendAllOptions) {
    this.#options = options
  }

  async run(tasks: readonly Task[]): Promise<GaveUp | undefined> {
    const { follow, stop } = this.#options
    const isOpen = (task: Task) => task.isOpen && (follow || !isLook(task))
    if (this.#options.firstAlone) await this.#firstAlone(tasks.filter((task) => !isLook(task)))
    let open = tasks.filter(isOpen)
    while (open.length > 0 && !this.#isOver()) {
      const nextMs = open.reduce((least, { dueMs }) => Math.min(least, dueMs), Number.POSITIVE_INFINITY)
      if (nextMs > performance.now()) await pauseUntil(nextMs, stop)
      else {
        await this.#round(open.filter(({ dueMs }) => dueMs <= performance.now()))
        open = open.filter(isOpen)
      }
    }
    // Of these the next run need not think that they may be there.
    for (const task of tasks) {
      if (task.isOpen && task.isNoted && task.state?.sent === 'no')
        await this.#outcome(task, { state: 'unsent' })
    }
    return this.#gaveUp
  }

  /** One after the other, until one is accepted and the gateway has shown it, or hasn't in a few looks. */
  async #firstAlone(tasks: readonly Task[]): Promise<void> {
    for (const task of tasks) {
      // Its create, and then the looks, of which the first is made at once: what was accepted is there as a rule.
      for (let looks = -1; task.isOpen && looks < mostFirstLooks && !this.#isOver(); looks++) {
        if (looks > 0) await pauseUntil(task.dueMs, this.#options.stop)
        if (this.#options.stop.aborted) return
        const verdict = await this.#runOnce(task)
        if (verdict.then === 'stop' && verdict.error.code === 'configuration') {
          this.#gaveUp = { error: verdict.error }
          return
        }
        if (verdict.then === 'done' || (looks >= 0 && verdict.error === undefined)) return
        // One that gets no answer keeps no other back.
        if (!isLook(task)) break
      }
      if (this.#isOver() || isLook(task)) return
    }
  }

  #isOver(): boolean {
    return this.#options.stop.aborted || this.#gaveUp !== undefined || this.#hasFailed
  }

  /** So many at once, each lane taking the next that is left. */
  async #round(due: readonly Task[]): Promise<void> {
    const left = [...due.filter((task) => !isLook(task)), ...due.filter(isLook)].values()
    const lane = async () => {
      for (const task of left) {
        if (this.#isOver()) return
        await this.#runOnce(task)
      }
    }
    const lanes = Array.from({ length: this.#options.limits.concurrency }, () =>
      lane().catch((error: unknown) => {
        this.#hasFailed = true
        throw error
      }),
    )
    for (const ended of await Promise.allSettled(lanes)) if (ended.status === 'rejected') throw ended.reason
  }

  async #runOnce(task: Task): Promise<PaymentVerdict<'payout'>> {
    const { job, file, counter, abort } = this.#options
    const { idPayout, line, record } = task
    if (!task.isNoted && record !== undefined) {
      const before = stateOf(file.results.get(idPayout))
      await file.append({ event: 'started', idPayout, at: now(), ...record })
      task.isNoted = true
      counter.move(before, 'unknown')
    }
    task.starts++
    const request = line?.request ?? { idPayout, load: () => undefined }
    const verdict = await job(request, { starts: task.starts, state: task.state, signal: abort })
    if (verdict.then !== 'again') {
      task.isOpen = false
      this.#answered()
      await this.#outcome(task, outcomeOf(verdict, task))
      return verdict
    }
    const wasLook = isLook(task)
    task.state = verdict.state
    task.dueMs = performance.now() + verdict.afterMs
    if (verdict.error === undefined) this.#answered()
    else this.#considerGivingUp(verdict, verdict.error)
    if (isLook(task) && !wasLook) await this.#outcome(task, { state: 'accepted' })
    return verdict
  }

  async #outcome({ idPayout }: Task, outcome: Outcome): Promise<void> {
    const { file, counter } = this.#options
    const before = stateOf(file.results.get(idPayout))
    await file.append({ event: 'outcome', idPayout, at: now(), ...outcome })
    counter.move(before, stateOf(file.results.get(idPayout)))
  }

  #answered(): void {
    this.#everAnswered = true
    this.#answeredAt = performance.now()
    this.#isOutage = false
  }

  /** A run that asks in vain says so, in place of asking for ever: at its start soon, and later with patience. */
  #considerGivingUp({ because, state }: Again, error: AnyGatewayError): void {
    // A payout that can't be seen yet is an answer, and a run that was ended from outside is none.
    if (because === 'aborted' || (error.code === 'not_found' && because === 'following')) return
    const { firstAnswerMs, nextAnswerMs, outageMs } = this.#options.limits
    // Nobody listens there, or nobody lets us in: that is a setting, which waiting doesn't change.
    const isHopeless = because === 'setup' || (error.code === 'connection' && state.sent === 'no')
    // What the client was told at its start, as by GATEWAY_LIVE, stays as it is for as long as this process.
    const isFixed = error.code === 'configuration'
    const patienceMs = isFixed ? 0 : this.#everAnswered ? nextAnswerMs : isHopeless ? 0 : firstAnswerMs
    const silentMs = performance.now() - this.#answeredAt
    if (silentMs >= patienceMs) this.#gaveUp ??= { error }
    else if (silentMs >= outageMs && !this.#isOutage) {
      this.#isOutage = true
      this.#options.onOutage({ error, silentMs, patienceMs })
    }
  }
}

/** Of the first payout: a gateway may not show for a moment what it has accepted. */
const mostFirstLooks = 3

async function pauseUntil(atMs: number, signal: AbortSignal): Promise<void> {
  const inMs = atMs - performance.now()
  if (inMs > 0) await pause(inMs, undefined, { signal }).catch(() => {})
}

type Again = Extract<PaymentVerdict<'payout'>, { then: 'again' }>

function isLook({ state }: Task): boolean {
  return state?.step === 'follow'
}

function outcomeOf(verdict: Exclude<PaymentVerdict<'payout'>, Again>, { sentBefore }: Task): Outcome {
  const { payment: payout } = verdict
  const shown = payout === undefined ? {} : shownOf(payout)
  if (verdict.then === 'stop') {
    return { ...shown, state: verdict.because, reason: reasonOf(verdict) }
  }
  // A killed run may have made a payout after it said so.
  if (sentBefore !== undefined && wasMadeBefore(verdict.payment, Date.parse(sentBefore))) {
    return { ...shown, state: 'look', reason: wasThere(shown.createdAt) }
  }
  return { ...shown, state: isPaid(verdict.payment) ? 'paid' : 'failed' }
}

function reasonOf({ error, payment: payout }: Extract<PaymentVerdict<'payout'>, { then: 'stop' }>): string {
  return payout === undefined ? error.message : wasThere(shownOf(payout).createdAt)
}

/** The gateway shows no account, so nothing tells whether it is this line's payout. */
function wasThere(createdAt: string | undefined): string {
  const since = createdAt === undefined ? '' : ` since ${createdAt}`
  return `the gateway has had a payout under this id${since}, and no run of this file has made it, so nothing was paid now and its account is not known; if it is the payout of this line, send the file with --accept-found, and if not, give the line a new id.`
}

/** What a gateway writes may be anything, and of any length. */
const longestText = 100

function shownOf({ process, fee, paymentMethodResponse }: Payout): Omit<Outcome, 'state'> {
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, longestText) : undefined)
  return {
    status: text(process.status),
    fee: Number.isFinite(fee?.amount) ? amountText(Number(fee?.amount)) : undefined,
    feeCurrencyCode: text(fee?.currencyCode),
    createdAt: text(process.createdAt),
    processedAt: text(process.processedAt),
    reference: text(Reflect.get(paymentMethodResponse, 'reference')),
  }
}
