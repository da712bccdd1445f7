import pRetry from 'p-retry'
import type { Observer } from '../observe/observer.js'
import { allowManyListeners, sleep } from './abortable-wait.js'
import { attempt } from './attempt.js'
import { type AttemptParts, type Progress, remainingMs } from './attempt-parts.js'
import type { Answer, Call, Question, TokenSource } from './call.js'
import { checkCallOptions } from './call-options.js'
import { AttemptFailed, CallFailed, evidenceOf, type FailedCall, type Failure, stronger } from './failure.js'
import type { PermitQueue } from './limit/queue.js'
import { RequestHeaders } from './request-headers.js'
import { decideRetry, isRateLimited } from './retry-policy.js'
import { secretsOf } from './secrets-of.js'
import { toError } from './to-error.js'
import type { Wire } from './transport/transport.js'

export interface ExchangeSettings {
  readonly basePath: string
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly retries: number
  readonly now: () => number
}

/**
 * One exchange with the gateway: token, permit, send, classify, retry, parse. Knows nothing of
 * payments; what a failure means for the money, the call says itself.
 */
export class Exchange<Scope> {
  readonly #parts: AttemptParts<Scope>
  readonly #settings: ExchangeSettings
  readonly #closing = new AbortController()
  /** Fires when the client is closed. */
  readonly closing: AbortSignal = this.#closing.signal
  #underWay = 0
  #onIdle: (() => void) | undefined
  #closed: Promise<void> | undefined

  constructor(
    wire: Wire,
    budget: PermitQueue,
    settings: ExchangeSettings,
    observer: Observer,
    tokens: (exchange: Exchange<Scope>) => TokenSource<Scope>,
  ) {
    const { basePath, now } = settings
    allowManyListeners(this.closing)
    this.#settings = settings
    const headers = new RequestHeaders()
    const { closing } = this
    this.#parts = { wire, budget, tokens: tokens(this), basePath, headers, observer, closing, now }
  }

  /** Asks, and rejects with the error that the caller will see. */
  call<T>(call: Call<Scope, T>): Promise<Answer<T>> {
    return this.watch(call, (watched) => this.#ask(watched, true))
  }

  /** The same for calls that want nothing but the parsed body. */
  value<T>(call: Call<Scope, T>): Promise<T> {
    return this.call(call).then(presentValue)
  }

  /** Asks, and rejects with {@link CallFailed}: for calls that others wait for. */
  ask<T>(call: Call<Scope, T>): Promise<Answer<T>> {
    return this.#ask(call, false)
  }

  /**
   * Runs what a method of the client is made of, as one call to whoever watches. The question that
   * `run` gets, and every other that is asked with its `watched`, belong to that call.
   */
  watch<Q extends Question<Scope>, T>(question: Q, run: (question: Q) => Promise<T>): Promise<T> {
    if (question.watched !== undefined || !this.#parts.observer.watchesCalls) return run(question)
    return this.#watch(question, run)
  }

  async #watch<Q extends Question<Scope>, T>(question: Q, run: (question: Q) => Promise<T>): Promise<T> {
    const { name, lane, route, routeTemplate = route, meaning } = question
    const { idPayin, idPayout } = meaning('none').details
    const begun = this.#parts.observer.watch({ name, lane, route: routeTemplate, idPayin, idPayout })
    const watched = begun instanceof Promise ? await begun : begun
    if (watched === undefined) return run(question)
    const inWords = (thrown: unknown) =>
      thrown instanceof CallFailed ? wordsFor(thrown.call, meaning) : thrown
    return watched.run(() => run({ ...question, watched }), inWords)
  }

  async #ask<T>(asked: Call<Scope, T>, inWords: boolean): Promise<Answer<T>> {
    const options = checkCallOptions(asked.options)
    const call = { ...asked, options }
    if (options?.signal !== undefined) allowManyListeners(options.signal)
    const progress: Progress = {
      startedAt: call.startedAt ?? performance.now(),
      deadlineMs: options?.deadlineMs ?? this.#settings.deadlineMs,
      timeoutMs: options?.timeoutMs ?? this.#settings.timeoutMs,
      attempts: 0,
      evidence: 'none',
      reminted: false,
      rateLimited: 0,
      retryAfterMs: undefined,
      token: undefined,
      lastFailure: undefined,
      waits: undefined,
      shared: call.shared,
    }
    this.#underWay++
    try {
      return await attempt(this.#parts, call, progress)
    } catch (first) {
      if (!(first instanceof AttemptFailed)) throw first
      try {
        return await this.#retry(call, progress, first)
      } catch (last) {
        if (!(last instanceof AttemptFailed)) throw last
        const failed = this.#failed(last, call, progress)
        throw inWords ? wordsFor(failed, call.meaning) : new CallFailed(failed)
      }
    } finally {
      this.#underWay--
      if (this.#underWay === 0) this.#onIdle?.()
    }
  }

  /** The client's own limit of a call, in milliseconds. */
  get defaultDeadlineMs(): number {
    return this.#settings.deadlineMs
  }

  /** Refuses new calls and those that wait; lets what is on the wire come to its end. */
  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  async #end(): Promise<void> {
    this.#closing.abort()
    this.#parts.budget.close()
    if (this.#underWay > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
    }
    await this.#parts.wire.close()
  }

  /** The loop is p-retry's, the policy is decideRetry's. Entered only after a first failure. */
  #retry<T>(call: Call<Scope, T>, progress: Progress, first: AttemptFailed): Promise<Answer<T>> {
    const signal = call.options?.signal
    return pRetry((n) => (n === 1 ? Promise.reject(first) : attempt(this.#parts, call, progress)), {
      // The policy counts; and p-retry gets no signal, since with one it drops an answer that has come.
      retries: Number.POSITIVE_INFINITY,
      minTimeout: 0,
      onFailedAttempt: async ({ error }) => {
        if (!(error instanceof AttemptFailed)) throw error
        const { failure } = error
        // What the call had no time left for is the 429 that it was told of, and not a wait of its own.
        if (isOutOfTurn(failure) && isRateLimited(progress.lastFailure)) {
          if (failure.kind === 'paused') progress.retryAfterMs = failure.retryAfterMs
          throw new AttemptFailed(progress.lastFailure ?? failure)
        }
        progress.evidence = stronger(progress.evidence, evidenceOf(failure))
        progress.lastFailure = failure
        if (isRateLimited(failure)) progress.rateLimited++
        const verdict = decideRetry(failure, {
          // A fresh token after a 401 is not one of the caller's retries, and what a 429 refused was no attempt.
          attempt: progress.attempts - (progress.reminted ? 1 : 0) - progress.rateLimited,
          retries: Math.max(call.options?.retries ?? this.#settings.retries, call.shared?.retries ?? 0),
          remainingMs: remainingMs(progress),
          // A signature is made anew over other bytes: the first may have been taken for a replay.
          canRemint: (call.scope !== undefined || call.credential === 'signature') && !progress.reminted,
          retryNotFound: call.retryNotFound ?? false,
          repeatable: call.repeatable ?? true,
          pausedMs: this.#parts.budget.pausedMs,
          nowMs: this.#settings.now(),
          random: Math.random(),
        })
        if (verdict.action === 'remint') {
          progress.reminted = true
          return
        }
        if (verdict.action === 'fail') {
          progress.retryAfterMs = verdict.retryAfterMs
          throw error
        }
        if (verdict.delayMs > 0) await sleep(verdict.delayMs, signal, this.#closing.signal)
      },
    })
  }

  #failed(error: AttemptFailed, call: Question<Scope>, progress: Progress): FailedCall {
    const { failure } = error
    const { attempts, retryAfterMs, timeoutMs, deadlineMs } = progress
    return {
      failure,
      evidence: stronger(progress.evidence, evidenceOf(failure)),
      context: {
        credential: call.credential,
        route: call.route,
        attempts,
        retryAfterMs,
        timeoutMs,
        deadlineMs,
        nowMs: this.#settings.now(),
        secrets: [...secretsOf({ ...call, ...progress }), ...this.#parts.headers.secrets],
        answerIsSecret: call.answerIsSecret ?? false,
      },
    }
  }
}

/** The error of a failed call, in the words of whoever made it. */
export function wordsFor(
  { failure, evidence, context }: FailedCall,
  meaning: Question<unknown>['meaning'],
): Error {
  return toError(failure, evidence, { ...context, meaning })
}

/** Whether the deadline came while the call waited for its permit. */
function isOutOfTurn(failure: Failure): boolean {
  return failure.kind === 'paused' || (failure.kind === 'deadline' && !failure.sent)
}

function presentValue<T>({ value }: Answer<T>): T {
  if (value === undefined) throw new TypeError('an answer without a value')
  return value
}
