import { channel } from 'node:diagnostics_channel'
import { setMaxListeners } from 'node:events'
import {
  aFunction,
  argumentWords,
  byDefault,
  flag,
  longestMs,
  type Rows,
  read,
  signal,
} from '../client/input/reader.js'
import { timeIn } from '../client/input/time-in.js'
import { inTime, notInTime } from '../client/input/wait.js'
import {
  type CallbackPort,
  type CatchUpEvent,
  InvalidInputError,
  type Payin,
  type PaymentKind,
  type PaymentLike,
  type Payout,
  QueueFullError,
} from '../index.js'
import type { BothKinds, Delivery } from './delivery.js'
import { checkTarget, type PayinRef, type PaymentRef, type PayoutRef } from './payment-ref.js'

/** Options of `CallbackReceiver.catchUp`. */
export interface CatchUpOptions {
  /** Ends the run with the signal's reason. */
  signal?: AbortSignal | undefined
  /**
   * Whether `onPayin` and `onPayout` are called, as a callback would: not for a final status that they have dealt
   * with, but for whatever comes after it, and never twice at the same time for one payment. Default false.
   */
  deliver?: boolean | undefined
  /** Called after each payment. */
  onProgress?: ((progress: CatchUpProgress) => void) | undefined
}

/** How far a run has come. */
export interface CatchUpProgress {
  /** How many payments have been dealt with. */
  readonly done: number
  /** How many of them could not be looked up or, with `deliver`, not delivered. */
  readonly failed: number
}

/** What became of the lookup and, with `deliver`, of the delivery. */
export type CatchUpOutcome<P> =
  | {
      /** The payment as it is now. */
      readonly payment: P
      /** Whether it will not change any more, by the client's `statuses`. */
      readonly final: boolean
      /**
       * With `deliver`: your function has resolved; it had dealt with this status before; or it failed, which
       * `onError` was told.
       */
      readonly delivery?: 'delivered' | 'nothing-new' | 'failed'
      /** Absent: the lookup went well. */
      readonly error?: undefined
    }
  | {
      /** Absent: the lookup failed. */
      readonly payment?: undefined
      /** Not known to be final. */
      readonly final: false
      /** Absent: there was nothing to deliver. */
      readonly delivery?: undefined
      /** What the lookup ended with. */
      readonly error: unknown
    }

/** One payin as it is now; or the error that its lookup ended with. */
export type CaughtUpPayin = CatchUpOutcome<Payin> & {
  /** The payin that was asked for. */
  readonly ref: PayinRef
  /** Its id. */
  readonly idPayin: string
  /** Absent. */
  readonly idPayout?: undefined
}

/** One payout as it is now; or the error that its lookup ended with. */
export type CaughtUpPayout = CatchUpOutcome<Payout> & {
  /** The payout that was asked for. */
  readonly ref: PayoutRef
  /** Its id. */
  readonly idPayout: string
  /** Absent. */
  readonly idPayin?: undefined
}

/** One payment as it is now; or the error that its lookup ended with. `idPayin` tells which kind it is. */
export type CaughtUp = CaughtUpPayin | CaughtUpPayout

/** A list, a cursor of a database, or whatever else gives one after the other. */
export type Many<T> = Iterable<T> | AsyncIterable<T>

/** How many status requests are under way at once: the rate limit paces them, this keeps memory flat. */
const atOnce = 10

export interface CatchUpParts {
  readonly port: CallbackPort
  readonly kinds: BothKinds
  /** Fires when the receiver is drained, which ends deliveries. */
  readonly draining: AbortSignal
}

const rows = {
  signal,
  deliver: byDefault(flag, false),
  onProgress: aFunction<NonNullable<CatchUpOptions['onProgress']>>('that takes how far the run has come'),
} satisfies Rows<CatchUpOptions>

const words = argumentWords(InvalidInputError, 'options', 'an option of catchUp', 'nothing was looked up.')

/** @throws {InvalidInputError} at the first step, for an option that is unknown or wrong. */
export function catchUp(
  parts: CatchUpParts,
  payments: Many<PaymentRef>,
  options: CatchUpOptions,
): AsyncGenerator<CaughtUp> {
  const unread = setImmediate(warnOfNoLoop)
  return catchUpAll(parts, payments, options, () => clearImmediate(unread))
}

/** Without a loop around it a generator does nothing, and nobody would hear of it. */
function warnOfNoLoop(): void {
  process.emitWarning(
    'catchUp looks nothing up until its result is read, and nobody reads it; write for await (const one of callbacks.catchUp(payments)) { … }.',
    { type: 'MerchantGatewayCallback', code: 'MERCHANT_GATEWAY_CATCH_UP' },
  )
}

async function* catchUpAll(
  parts: CatchUpParts,
  payments: Many<PaymentRef>,
  options: CatchUpOptions,
  onRead: () => void,
): AsyncGenerator<CaughtUp> {
  onRead()
  const { signal, deliver, onProgress } = read(options, rows, words)
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  for (const one of [signal, deliver ? parts.draining : undefined]) {
    if (one?.aborted) stop.abort(one.reason)
    // Not by AbortSignal.any: Node 20 may collect what it makes of a signal with a timer.
    else one?.addEventListener('abort', () => stop.abort(one.reason), { signal: stop.signal })
  }
  const underWay: Promise<CaughtUp>[] = []
  const progress = { done: 0, failed: 0 }
  const counts = new CatchUpCounts()
  const settle = (one: CaughtUp) => {
    signal?.throwIfAborted()
    progress.done++
    counts.add(one.idPayin === undefined ? 'payout' : 'payin', one)
    if (one.payment === undefined || one.delivery === 'failed') progress.failed++
    onProgress?.({ ...progress })
    return one
  }
  try {
    signal?.throwIfAborted()
    for await (const ref of payments) {
      underWay.push(catchUpOne(parts, ref, deliver, stop.signal))
      const first = underWay.length < atOnce ? undefined : underWay.shift()
      if (first !== undefined) yield settle(await first)
    }
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift())
      yield settle(await first)
    if (!stop.signal.aborted) counts.publish()
  } finally {
    stop.abort()
  }
}

/** Rejects for what names no payment, and for nothing else: one status request that fails doesn't end the run. */
async function catchUpOne(
  { port, kinds }: CatchUpParts,
  ref: PaymentRef,
  deliver: boolean,
  signal: AbortSignal,
): Promise<CaughtUp> {
  const { id } = checkTarget(ref)
  const outcome = <P extends PaymentLike>(kind: Delivery<P>) =>
    deliver ? delivered(port, kind, id, signal) : lookedUp(port, kind, id, signal)
  if (ref.idPayout === undefined) return { ref, idPayin: id, ...(await outcome(kinds.payin)) }
  return { ref, idPayout: id, ...(await outcome(kinds.payout)) }
}

async function lookedUp<P extends PaymentLike>(
  port: CallbackPort,
  kind: Delivery<P>,
  id: string,
  signal: AbortSignal,
): Promise<CatchUpOutcome<P>> {
  const read = await kind.poll(id, signal)
  if ('error' in read) return { final: false, error: read.error }
  return { payment: read.payment, final: port.isFinal(read.payment) }
}

async function delivered<P extends PaymentLike>(
  port: CallbackPort,
  kind: Delivery<P>,
  id: string,
  signal: AbortSignal,
): Promise<CatchUpOutcome<P>> {
  const work = signal.aborted ? undefined : kind.run(id, { signal })
  if (work === undefined) return { final: false, error: signal.reason ?? tooMany() }
  // The merchant's function goes on to its own end; whoever catches up need not wait for it.
  const done = await inTime(work.done, longestMs, signal)
  if (done === notInTime) return { final: false, error: signal.reason }
  if (done.result === 'unavailable') return { final: false, error: done.error }
  const { payment, called } = done
  if (payment === undefined) return lookedUp(port, kind, id, signal)
  const delivery = done.result === 'failed' ? 'failed' : called ? 'delivered' : 'nothing-new'
  return { payment, final: port.isFinal(payment), delivery }
}

function tooMany(): QueueFullError {
  return new QueueFullError(
    'more payments wait for their lookup or your function than maxPending allows; nothing was delivered, so catchUp again when fewer are waiting.',
  )
}

type Counts = { -readonly [Name in Exclude<keyof CatchUpEvent, 'kind'>]: number }

const ended = channel('merchant-gateway:catch-up')

class CatchUpCounts {
  readonly #kinds = new Map<PaymentKind, Counts>()

  add(kind: PaymentKind, { payment, final, delivery }: CatchUpOutcome<Payin | Payout>): void {
    const counts = this.#kinds.get(kind) ?? { final: 0, open: 0, failed: 0, unavailable: 0, oldestOpenMs: 0 }
    this.#kinds.set(kind, counts)
    if (payment === undefined) counts.unavailable++
    else if (delivery === 'failed') counts.failed++
    else counts[final ? 'final' : 'open']++
    const createdAt = final ? undefined : timeIn(payment?.process?.createdAt)
    if (createdAt !== undefined) counts.oldestOpenMs = Math.max(counts.oldestOpenMs, Date.now() - createdAt)
  }

  publish(): void {
    if (!ended.hasSubscribers) return
    for (const [kind, counts] of this.#kinds) {
      const event: CatchUpEvent = { kind, ...counts }
      ended.publish(event)
    }
  }
}
