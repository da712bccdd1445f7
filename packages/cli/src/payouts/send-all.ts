import { setTimeout as pause } from 'node:timers/promises'
import { type AnyGatewayError, isPaid, type Payout } from 'merchant-gateway'
import type { PaymentJob, PaymentJobState, PaymentVerdict } from 'merchant-gateway/jobs'
import type { PayoutRequest } from '../files/payout-file.js'
import { currencyText } from '../input/decimal.js'
import { timeIn } from '../input/values.js'
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
/** How long it asks in vain when nothing was ever answered, and later on. */
const [firstPatienceMs, laterPatienceMs] = [30_000, 1_800_000]
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
  #hasFailed = false

  constructor(options: SendAllOptions) {
    this.#options = options
    this.#isAlone = options.firstAlone
  }

  async run(tasks: readonly Task[]): Promise<AnyGatewayError | undefined> {
    const { follow, stop } = this.#options
    const isOpen = (task: Task) => task.isOpen && (follow || this.#isAlone || !isFollowed(task))
    let open = tasks.filter(isOpen)
    while (open.length > 0 && !this.#isOver()) {
      // One that gets no response keeps no other back.
      const alone = open.find(({ state }) => state?.step !== 'create') ?? open[0]
      const next = this.#isAlone && alone !== undefined ? [alone] : open
      const nextMs = next.reduce((least, { dueMs }) => Math.min(least, dueMs), Number.POSITIVE_INFINITY)
      const inMs = nextMs - performance.now()
      if (inMs > 0) await pause(inMs, undefined, { signal: stop }).catch(() => {})
      else await this.#round(next.filter(({ dueMs }) => dueMs <= performance.now()))
      open = open.filter(isOpen)
    }
    // The next run need not think that these may have been sent.
    for (const task of tasks) {
      if (task.isOpen && task.isNoted && task.state?.sent === 'no')
        await this.#note(task, { state: 'unsent' })
    }
    return this.#gaveUp
  }

  #isOver(): boolean {
    return this.#options.stop.aborted || this.#gaveUp !== undefined || this.#hasFailed
  }

  /** So many at once, each worker taking the next that is left. */
  async #round(due: readonly Task[]): Promise<void> {
    const left = [...due.filter((task) => !isFollowed(task)), ...due.filter(isFollowed)].values()
    const work = async () => {
      for (const task of left) {
        if (this.#isOver()) return
        await this.#runOnce(task)
      }
    }
    const workers = Array.from({ length: concurrency }, () =>
      work().catch((error: unknown) => {
        this.#hasFailed = true
        throw error
      }),
    )
    for (const ended of await Promise.allSettled(workers)) if (ended.status === 'rejected') throw ended.reason
  }

  async #runOnce(task: Task): Promise<void> {
    const { job, file, abort } = this.#options
    const { idPayout, request, record } = task
    if (!task.isNoted && record !== undefined) {
      await file.append({ event: 'started', idPayout, at: now(), ...record })
      task.isNoted = true
    }
    const wasFollowed = isFollowed(task)
    task.starts++
    const run = { starts: task.starts, state: task.state, signal: abort }
    const verdict = await job(request ?? { idPayout, load: () => undefined }, run)
    const isSeen = verdict.then === 'done' || (wasFollowed && verdict.then === 'again' && !verdict.error)
    if (isSeen || task.starts >= mostAlone) this.#isAlone = false
    if (verdict.then === 'again') {
      task.state = verdict.state
      task.dueMs = performance.now() + verdict.afterMs
      if (verdict.error === undefined) this.#answered()
      else this.#considerGivingUp(verdict, verdict.error)
      if (isFollowed(task) && !wasFollowed) await this.#note(task, { state: 'accepted' })
      return
    }
    task.isOpen = false
    this.#answered()
    await this.#note(task, outcomeOf(verdict, task))
    // The option `live` refuses the first payout, and so all of them.
    if (this.#isAlone && verdict.then === 'stop' && verdict.error.code === 'configuration') {
      this.#gaveUp ??= verdict.error
    }
  }

  #note({ idPayout }: Task, outcome: Outcome): Promise<void> {
    return this.#options.file.append({ event: 'outcome', idPayout, at: now(), ...outcome })
  }

  #answered(): void {
    this.#everAnswered = true
    this.#answeredAt = performance.now()
  }

  #considerGivingUp(verdict: Again, error: AnyGatewayError): void {
    // A payout that can't be seen yet is a response, and an interruption is none.
    const isUnseen = error.code === 'not_found' && verdict.because === 'following'
    if (isUnseen || verdict.because === 'aborted') return
    const patienceMs = patienceFor(verdict, error, this.#everAnswered)
    const silentMs = performance.now() - this.#answeredAt
    if (silentMs >= patienceMs) this.#gaveUp ??= error
  }
}

function patienceFor({ because, state }: Again, { code }: AnyGatewayError, everAnswered: boolean): number {
  // An option such as `live` stays as it is for as long as this process.
  if (code === 'configuration') return 0
  if (everAnswered) return laterPatienceMs
  // Nobody listens there, or the key is refused: a setting, which waiting doesn't change.
  const isSetting = because === 'setup' || (code === 'connection' && state.sent === 'no')
  return isSetting ? 0 : firstPatienceMs
}

type Again = Extract<PaymentVerdict<'payout'>, { then: 'again' }>

function isFollowed({ state }: Task): boolean {
  return state?.step === 'follow'
}

/** Clocks and time zones differ by less. */
const dayMs = 86_400_000

function outcomeOf(verdict: Exclude<PaymentVerdict<'payout'>, Again>, { sentBefore }: Task): Outcome {
  const { payment: payout } = verdict
  const shown = payout === undefined ? {} : shownOf(payout)
  if (verdict.then === 'stop') {
    const reason = payout === undefined ? verdict.error.message : wasThere(shown.createdAt)
    return { ...shown, state: verdict.because, reason }
  }
  // A run that was killed before it sent this payout has not made one that is a day older.
  const madeAt = timeIn(verdict.payment.process.createdAt)
  if (sentBefore !== undefined && madeAt !== undefined && madeAt < Date.parse(sentBefore) - dayMs) {
    return { ...shown, state: 'review', reason: wasThere(shown.createdAt) }
  }
  return { ...shown, state: isPaid(verdict.payment) ? 'paid' : 'failed' }
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
    fee: Number.isFinite(fee?.amount)
      ? currencyText(Number(fee?.amount), String(fee?.currencyCode))
      : undefined,
    feeCurrencyCode: text(fee?.currencyCode),
    createdAt: text(process.createdAt),
    processedAt: text(process.processedAt),
    reference: text(Reflect.get(paymentMethodResponse, 'reference')),
  }
}
