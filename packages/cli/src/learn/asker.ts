import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Agent } from 'undici'
import { Limit, limited } from '../../../../src/client/input/limit.js'
import { type Answer, type Question, type Reply, whyNot } from '../answer.js'
import { type ExitCode, exitCodes } from '../exit-codes.js'
import { newAgent, sendQuestion } from '../send-question.js'

/** How fast a gateway is asked, and for how long it is waited for; all in milliseconds. */
export interface Pace {
  /** From one request to the next: eight a second, which is below ten by any way of counting. */
  readonly gapMs: number
  /** After so long without a request, none of those before is counted any more. */
  readonly quietMs: number
  /** From one look-up of a payment to the next. */
  readonly pollMs: number
  /** For so long a callback waits for its answer, to see whether another one comes. */
  readonly holdMs: number
  /** For an answer with its body. */
  readonly timeoutMs: number
  /** Of all questions together. */
  readonly wholeMs: number
}

export const usualPace: Pace = {
  gapMs: 125,
  quietMs: 1200,
  pollMs: 1000,
  holdMs: 1000,
  timeoutMs: 10_000,
  wholeMs: 900_000,
}

/** Ends the questions to a gateway; what was learnt until then is kept. */
export class Stop extends Error {
  readonly exitCode: ExitCode
  /** What to do about it: printed, and in no file. */
  readonly fix: string | undefined

  /** @param message why, as a part of a sentence. */
  constructor(message: string, exitCode: ExitCode, fix?: string) {
    super(message)
    this.exitCode = exitCode
    this.fix = fix
  }
}

/** After so many requests in a row without a useful answer the run ends. */
const mostFailures = 4
const mostLimited = 5
const longestPauseMs = 60_000

/** Asks a gateway one question after the other, and never faster than its limit allows. */
export class Asker {
  /** Told of each answer that says that the limit was passed. */
  onLimited: (answer: Answer) => void = () => {}
  readonly #base: URL
  readonly #pace: Pace
  readonly #whole: Limit
  #nextAt = 0
  #gapMs: number
  #failures = 0
  #agent: Agent | undefined

  /** @param signal ends every wait; its reason is thrown where it is a {@link Stop}. */
  constructor(base: URL, pace: Pace, signal: AbortSignal) {
    this.#base = base
    this.#pace = pace
    this.#gapMs = pace.gapMs
    this.#whole = new Limit({ signals: [signal], ms: pace.wholeMs })
    // Eleven at once are no leak.
    setMaxListeners(0, this.#whole.signal)
  }

  /**
   * One question. A 429 is asked again after the pause that it wants.
   *
   * @throws {Stop} when it makes no sense to go on.
   */
  async ask(question: Question): Promise<Reply> {
    for (let limited = 0; ; limited++) {
      await this.wait(this.#nextAt - performance.now())
      this.#agent ??= await newAgent()
      const reply = await this.#send(question, this.#agent)
      this.#nextAt = performance.now() + this.#gapMs
      const isLimited = reply.kind === 'answered' && reply.status === 429
      if (!isLimited) return this.#counted(reply)
      this.onLimited(reply)
      const { retryAfterMs = this.#pace.quietMs } = reply
      if (limited === mostLimited || retryAfterMs > longestPauseMs) {
        throw new Stop(
          `the gateway refuses for its rate limit (429), although it was asked no more than ${Math.round(1000 / Math.max(1, this.#pace.gapMs))} times a second: others spend the same budget`,
          exitCodes.refused,
        )
      }
      this.#gapMs = Math.min(2 * this.#gapMs, 1000)
      this.#nextAt = performance.now() + retryAfterMs
    }
  }

  /** The same question several times at once, over new connections, after a silence. */
  async atOnce(question: Question, count: number): Promise<readonly Reply[]> {
    await this.wait(this.#pace.quietMs)
    // All have to connect first, so that they arrive together.
    const agent = await newAgent()
    try {
      return await Promise.all(Array.from({ length: count }, () => this.#send(question, agent)))
    } finally {
      await agent.destroy()
      this.#nextAt = performance.now() + this.#pace.quietMs
    }
  }

  /** The same question several times, one {@link Pace.gapMs} after the other whatever is answered, after a silence. */
  async inARow(question: Question, count: number): Promise<readonly Reply[]> {
    await this.wait(this.#pace.quietMs)
    this.#agent ??= await newAgent()
    const replies: Promise<Reply>[] = []
    while (replies.length < count) {
      if (replies.length > 0) await this.wait(this.#pace.gapMs)
      const reply = this.#send(question, this.#agent)
      // Nobody waits for it any more when the wait for the next one is ended.
      reply.catch(() => undefined)
      replies.push(reply)
    }
    this.#nextAt = performance.now() + this.#pace.quietMs
    return await Promise.all(replies)
  }

  /**
   * @param until ends the wait early.
   * @throws {Stop} as soon as there is to be no more.
   */
  async wait(ms: number, until?: AbortSignal): Promise<void> {
    this.#check()
    if (ms <= 0) return
    const signals = until === undefined ? [this.#signal] : [this.#signal, until]
    try {
      await limited({ signals }, (signal) => wait(ms, undefined, { signal }))
    } catch {
      this.#check()
    }
  }

  async close(): Promise<void> {
    this.#whole.release()
    await this.#agent?.destroy()
  }

  get #signal(): AbortSignal {
    return this.#whole.signal
  }

  #check(): void {
    if (!this.#signal.aborted) return
    const reason: unknown = this.#signal.reason
    if (reason instanceof Stop) throw reason
    throw new Stop('it has taken too long altogether', exitCodes.unreachable)
  }

  #counted(reply: Reply): Reply {
    const isUseless = reply.kind === 'none' || reply.status >= 500
    this.#failures = isUseless ? this.#failures + 1 : 0
    if (this.#failures < mostFailures) return reply
    const exitCode = reply.kind === 'none' ? exitCodes.unreachable : exitCodes.refused
    throw new Stop(
      `${mostFailures} requests in a row got no useful answer; for the last one, ${whyNot(reply)}`,
      exitCode,
    )
  }

  async #send(question: Question, agent: Agent): Promise<Reply> {
    const { timeoutMs } = this.#pace
    const reply = await sendQuestion(this.#base, question, { agent, timeoutMs, signal: this.#signal })
    if (reply.kind === 'none') this.#check()
    return reply
  }
}
