import { AbortedError, ClientClosedError, isGatewayError, WaitTimeoutError } from '../errors.js'
import { checkCallOptions } from '../http/call.js'
import { durationRange, isDuration } from '../schemas/durations.js'
import { idFieldOf, type PaymentKind } from '../schemas/payment-kind.js'
import { wrongInput } from '../schemas/wrong-input.js'
import { type PaymentLike, statusOf } from './final.js'
import { pollGapMs } from './poll-gap.js'
import type { Wakes } from './wakes.js'

/** How long to wait, and what ends it early. */
export interface WaitOptions {
  /** The longest wait, in milliseconds. Required: a payment may take days, or never become final. */
  maxWaitMs: number
  /** Ends the wait with an `AbortedError`. */
  signal?: AbortSignal | undefined
}

interface Wait {
  readonly kind: PaymentKind
  readonly id: string
  readonly closing: AbortSignal
}

export interface WatchSource<P> extends Wait {
  /** Looks once, in the lowest lane, within so many milliseconds. */
  readonly look: (deadlineMs: number) => Promise<P>
  readonly isFinal: (payment: P) => boolean
  readonly wakes: Wakes<P>
  /** Whether callbacks are known to arrive, so that looking may be left to them for longer. */
  readonly callbacksArrive: () => boolean
}

/** Codes after which another look may go better. A 404 may mean that the payment is not visible yet. */
const passing = new Set(['connection', 'timeout', 'server', 'rate_limit', 'queue_full', 'not_found'])

/**
 * Yields the payment at first sight and whenever its status has changed, and ends when it is final.
 *
 * @throws {WaitTimeoutError} when it is not final after `maxWaitMs`.
 */
export async function* watchPayment<P extends PaymentLike>(
  source: WatchSource<P>,
  { maxWaitMs, signal }: WaitOptions,
): AsyncGenerator<P, P> {
  const endAt = performance.now() + maxWaitMs
  const alarm = new Alarm(source.closing, signal)
  let news: P | undefined
  const stopListening = source.wakes.listen(source.id, (seen) => {
    news = seen
    alarm.ring()
  })
  let last: P | undefined
  let lastError: unknown
  try {
    for (let looks = 1; ; looks++) {
      const leftMs = endAt - performance.now()
      if (leftMs <= 0) throw waitedTooLong(source, maxWaitMs, last, lastError)
      alarm.set()
      try {
        const told = news
        news = undefined
        const seen = told ?? (await source.look(leftMs))
        lastError = undefined
        const changed = last === undefined || statusOf(last) !== statusOf(seen)
        last = seen
        if (source.isFinal(seen)) {
          if (changed) yield seen
          return seen
        }
        if (changed) yield seen
      } catch (error) {
        if (!isGatewayError(error) || !passing.has(error.code)) throw error
        lastError = error
      }
      await alarm.wait(
        Math.min(pollGapMs(looks, Math.random(), source.callbacksArrive()), endAt - performance.now()),
      )
      refuseEnded(source, signal)
    }
  } finally {
    stopListening()
    alarm.end()
  }
}

/** @throws {InvalidInputError} when the wait has no limit, or an option that is unknown or wrong. */
export function checkWaitOptions(options: WaitOptions): void {
  const given: Partial<WaitOptions> = typeof options === 'object' && options !== null ? options : {}
  const { maxWaitMs, ...rest } = given
  if (!isDuration(maxWaitMs)) {
    throw wrongInput('maxWaitMs', `must be ${durationRange}: a wait needs a limit`)
  }
  const unknown = Object.keys(rest).find((name) => name !== 'signal')
  if (unknown !== undefined) {
    throw wrongInput(unknown, 'is not an option of a wait (maxWaitMs, signal)')
  }
  checkCallOptions(rest)
}

function waitedTooLong(
  { kind, id }: Wait,
  maxWaitMs: number,
  last: PaymentLike | undefined,
  lastError: unknown,
): WaitTimeoutError {
  const seen = last === undefined ? 'it was not seen once' : `its last status was ${shown(statusOf(last))}`
  return new WaitTimeoutError(
    `the ${kind} was not final after maxWaitMs (${maxWaitMs} ms), ${seen}; its money may still move, so look again later and never create it under another id.`,
    { [idFieldOf[kind]]: id, lastPayment: last },
    lastError,
  )
}

/** A status is a word; whatever else a gateway may put there is not for messages. */
function shown(status = ''): string {
  return /^[\w-]{1,40}$/.test(status) ? status : 'not shown'
}

function refuseEnded({ kind, id, closing }: Wait, signal: AbortSignal | undefined): void {
  const details = { [idFieldOf[kind]]: id }
  const sentence = `while waiting for the ${kind}; the wait has ended, the ${kind} goes its own way, so look again later`
  if (signal?.aborted === true) {
    throw new AbortedError(`the caller's signal fired ${sentence}.`, details, signal.reason)
  }
  if (closing.aborted) throw new ClientClosedError(`the client was closed ${sentence}.`, details)
}

/** One wait that can be cut short: by a wake, the caller's signal, or the end of the client. */
class Alarm {
  readonly #signals: readonly AbortSignal[]
  #rang = false
  #end: (() => void) | undefined

  constructor(...signals: readonly (AbortSignal | undefined)[]) {
    this.#signals = signals.filter((signal) => signal !== undefined)
    for (const signal of this.#signals) signal.addEventListener('abort', this.ring)
  }

  /** From here on a wake counts, also one that comes while the payment is being looked at. */
  set(): void {
    this.#rang = false
  }

  readonly ring = (): void => {
    this.#rang = true
    this.#end?.()
  }

  wait(ms: number): Promise<void> {
    if (this.#rang || this.#signals.some((signal) => signal.aborted) || ms <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end?.(), ms)
      this.#end = () => {
        clearTimeout(timer)
        this.#end = undefined
        resolve()
      }
    })
  }

  end(): void {
    for (const signal of this.#signals) signal.removeEventListener('abort', this.ring)
  }
}
