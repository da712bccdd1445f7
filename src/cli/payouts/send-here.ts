import { type AnyGatewayError, isPaid } from '../../index.js'
import type { PayoutJob, PayoutJobState, PayoutVerdict } from '../../jobs/index.js'
import type { SendableLine } from '../../payout-files/payout-file.js'
import { askedOf } from './asked.js'
import { type Counter, type State, stateOf } from './counts.js'
import { DueQueue } from './due-queue.js'
import type { Ending } from './results.js'
import { now, type ResultsFile } from './results-file.js'

export interface SendHereOptions {
  readonly job: PayoutJob
  readonly file: ResultsFile
  readonly counter: Counter
  /** Whether an accepted payout is followed until it is final. */
  readonly follow: boolean
  /** Takes no further payout, and lets those under way come to their end. */
  readonly stop: AbortSignal
  /** Ends those under way too. */
  readonly abort: AbortSignal
  readonly limits: SendLimits
}

export interface SendLimits {
  /** How many payouts are under way at once. */
  readonly concurrency: number
  /** How long to ask in vain when nothing was ever answered, in milliseconds. */
  readonly firstAnswerMs: number
  /** How long to ask in vain later on. */
  readonly nextAnswerMs: number
}

/** Why it ended before all was done. */
export interface GaveUp {
  readonly error: AnyGatewayError
}

/** A payout and what is known of it here. */
interface Task {
  readonly line: SendableLine
  /** How often a run of it was started, by this process or an earlier one. */
  starts: number
  state: PayoutJobState | undefined
  /** Whether the results file says that this process has started it. */
  noted: boolean
}

/**
 * Sends payouts in this process: all creates first, in the order of the file, and then a look at each that is
 * accepted, as often as its job wants, until it is final. Every start is in the results file before the
 * gateway is asked, and every answer when it has come.
 *
 * @returns why it gave up; undefined when all is done, or it was told to stop.
 * @throws when the results file does not take an entry.
 */
export async function sendHere(
  lines: readonly SendableLine[],
  options: SendHereOptions,
): Promise<GaveUp | undefined> {
  return new Sending(options).run(lines)
}

class Sending {
  readonly #options: SendHereOptions
  readonly #creates = new DueQueue<Task>()
  readonly #looks = new DueQueue<Task>()
  readonly #underWay = new Set<Promise<void>>()
  #answeredAt = performance.now()
  #everAnswered = false
  #gaveUp: GaveUp | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(options: SendHereOptions) {
    this.#options = options
  }

  async run(lines: readonly SendableLine[]): Promise<GaveUp | undefined> {
    for (const line of lines) this.#queue(this.#taskOf(line), 0)
    for (;;) {
      this.#startAll()
      if (this.#underWay.size > 0) await this.#untilSomething()
      else if (this.#hasEnded() || this.#nextMs() === undefined) break
      else await this.#untilSomething()
    }
    if (this.#failure !== undefined) throw this.#failure.error
    return this.#gaveUp
  }

  #taskOf(line: SendableLine): Task {
    const known = this.#options.file.results.get(line.request.idPayout)
    // A refusal that is to be asked again: of a payout that was never sent, nothing has to be remembered.
    const before = known?.ending?.result === 'refused' ? undefined : known
    return { line, starts: before?.starts ?? 0, state: before?.state, noted: false }
  }

  #queue(task: Task, dueMs: number): void {
    const isLook = task.state?.step === 'follow'
    if (!isLook) this.#creates.add(task, dueMs)
    else if (this.#options.follow) this.#looks.add(task, dueMs)
  }

  #hasEnded(): boolean {
    return this.#options.stop.aborted || this.#gaveUp !== undefined || this.#failure !== undefined
  }

  #startAll(): void {
    const { concurrency } = this.#options.limits
    while (!this.#hasEnded() && this.#underWay.size < concurrency) {
      const nowMs = performance.now()
      const task = this.#creates.take(nowMs) ?? this.#looks.take(nowMs)
      if (task === undefined) return
      const run = this.#runOnce(task)
        .catch((error: unknown) => {
          this.#failure ??= { error }
        })
        .finally(() => this.#underWay.delete(run))
      this.#underWay.add(run)
    }
  }

  /** Until one under way has ended, the next is due, or the stop. */
  async #untilSomething(): Promise<void> {
    const { stop } = this.#options
    const nextMs =
      this.#hasEnded() || this.#underWay.size >= this.#options.limits.concurrency ? undefined : this.#nextMs()
    const over = new AbortController()
    const waits: Promise<unknown>[] = [...this.#underWay]
    if (nextMs !== undefined) waits.push(pause(nextMs - performance.now(), over.signal))
    if (!stop.aborted) waits.push(aborted(stop, over.signal))
    await Promise.race(waits)
    over.abort()
  }

  #nextMs(): number | undefined {
    const due = [this.#creates.nextMs, this.#looks.nextMs].filter((one) => one !== undefined)
    return due.length === 0 ? undefined : Math.min(...due)
  }

  async #runOnce(task: Task): Promise<void> {
    const { job, file, abort } = this.#options
    const { request } = task.line
    const before = stateOf(file.results.get(request.idPayout))
    task.starts++
    // A look sends nothing, so that nothing is lost with it.
    if (task.state?.step !== 'follow' && !task.noted) {
      await file.append({
        event: 'started',
        idPayout: request.idPayout,
        ...askedOf(task.line.line, request, file.results.salt),
        starts: task.starts,
        at: now(),
      })
      task.noted = true
      this.#moved(request.idPayout, before)
    }
    const verdict = await job(request, { starts: task.starts, state: task.state, signal: abort })
    await this.#note(task, verdict)
  }

  async #note(task: Task, verdict: PayoutVerdict): Promise<void> {
    const { file } = this.#options
    const { idPayout } = task.line.request
    const before = stateOf(file.results.get(idPayout))
    if (verdict.then === 'again') {
      const { state } = verdict
      task.state = state
      if (state.sent === 'no' || (state.sent === 'accepted' && before !== 'accepted')) {
        await file.append({ event: 'state', idPayout, state, at: now() })
        // After a word that nothing was sent, the next run has to be announced again.
        task.noted = state.sent !== 'no'
      }
      if (verdict.error === undefined) this.#answered()
      else this.#considerGivingUp(verdict, verdict.error)
      this.#queue(task, performance.now() + verdict.afterMs)
    } else {
      await file.append({ event: 'ended', idPayout, ...endingOf(verdict), at: now() })
      this.#answered()
    }
    this.#moved(idPayout, before)
  }

  #moved(idPayout: string, before: State): void {
    const after = stateOf(this.#options.file.results.get(idPayout))
    if (after !== before) this.#options.counter.move(before, after)
  }

  #answered(): void {
    this.#everAnswered = true
    this.#answeredAt = performance.now()
  }

  /** A run that asks in vain says so, in place of asking for ever: at its start soon, and later with patience. */
  #considerGivingUp({ because, state }: Again, error: AnyGatewayError): void {
    // A payout that can't be seen yet is an answer, and a run that was ended from outside is none.
    if (because === 'aborted' || (error.code === 'not_found' && because === 'following')) return
    const { firstAnswerMs, nextAnswerMs } = this.#options.limits
    // Nobody listens there, or nobody lets us in: that is a setting, and no minute mends it.
    const isHopeless = because === 'setup' || (error.code === 'connection' && state.sent === 'no')
    const patienceMs = this.#everAnswered ? nextAnswerMs : isHopeless ? 0 : firstAnswerMs
    if (performance.now() - this.#answeredAt >= patienceMs) this.#gaveUp ??= { error }
  }
}

type Again = Extract<PayoutVerdict, { then: 'again' }>

function endingOf(verdict: Exclude<PayoutVerdict, { then: 'again' }>): Ending {
  if (verdict.then === 'stop') return { result: verdict.because, reason: verdict.error.message }
  const { status } = verdict.payout.process
  return { result: isPaid(verdict.payout) ? 'paid' : 'failed', status }
}

function pause(ms: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, ms))
    over.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
}

function aborted(signal: AbortSignal, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const listener = () => resolve()
    signal.addEventListener('abort', listener, { once: true })
    over.addEventListener('abort', () => signal.removeEventListener('abort', listener), { once: true })
  })
}
