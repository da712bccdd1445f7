import { channel } from 'node:diagnostics_channel'
import { setMaxListeners } from 'node:events'
import { argument, argumentRefusal, check, type Shape } from '../client/input/check.js'
import { flag, longestMs, signal } from '../client/input/kinds.js'
import { timeIn } from '../client/input/values.js'
import { inTime, notInTime } from '../client/input/wait.js'
import { byDefault, optional } from '../client/input/zod.js'
import {
  type CatchUpEvent,
  InvalidInputError,
  type Payin,
  type PaymentKind,
  type PaymentLike,
  type Payout,
  QueueFullError,
} from '../index.js'
import { type PayinRef, type PaymentRef, type PayoutRef, targetOf } from './callback-url.js'
import type { Deliveries } from './deliveries.js'

/** Options of `CallbackReceiver.catchUp`. */
export interface CatchUpOptions {
  /** Ends the run with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Whether `onPayin` and `onPayout` are called as after a callback: not for a final status that they know. Default false. */
  deliver?: boolean | undefined
}

/** What became of the lookup and, with `deliver`, of the delivery. */
export type CatchUpOutcome<P> =
  | {
      /** The payment as it is now. */
      readonly payment: P
      /** Whether it will not change any more, by the client's `statuses`. */
      readonly final: boolean
      /** With `deliver`: your function has resolved, had dealt with this status before, or has failed (see `onError`). */
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

/** One payin as it is now, or the error that its lookup ended with. */
export type CaughtUpPayin = CatchUpOutcome<Payin> &
  PayinRef & {
    /** The payin that was asked for. */
    readonly ref: PayinRef
  }

/** One payout as it is now, or the error that its lookup ended with. */
export type CaughtUpPayout = CatchUpOutcome<Payout> &
  PayoutRef & {
    /** The payout that was asked for. */
    readonly ref: PayoutRef
  }

/** One payment as it is now, or the error that its lookup ended with. `idPayin` tells which kind it is. */
export type CaughtUp = CaughtUpPayin | CaughtUpPayout

/** A list, a cursor of a database, or whatever else gives one after the other. */
export type Many<T> = Iterable<T> | AsyncIterable<T>

/** The rate limit paces the status requests; this keeps memory flat. */
const atOnce = 10

export interface BothKinds {
  readonly payin: Deliveries<Payin>
  readonly payout: Deliveries<Payout>
}

const schema = argument('an option of catchUp', {
  signal: optional(signal),
  deliver: byDefault(flag, false),
} satisfies Shape<CatchUpOptions>)

const wrongOptions = argumentRefusal(InvalidInputError, 'options', 'nothing was looked up.')

/** @throws at the first step, for an option that is unknown or wrong ({@link InvalidInputError}). */
export function catchUp(
  kinds: BothKinds,
  payments: Many<PaymentRef>,
  options: CatchUpOptions,
): AsyncGenerator<CaughtUp> {
  const unread = setImmediate(warnOfNoLoop)
  return catchUpAll(kinds, payments, options, () => clearImmediate(unread))
}

/** A generator without a loop around it does nothing. */
function warnOfNoLoop(): void {
  process.emitWarning(
    'catchUp looks nothing up until its result is read, and nobody reads it; write for await (const one of callbacks.catchUp(payments)) { … }.',
    { type: 'MerchantGatewayCallback', code: 'MERCHANT_GATEWAY_CATCH_UP' },
  )
}

async function* catchUpAll(
  kinds: BothKinds,
  payments: Many<PaymentRef>,
  options: CatchUpOptions,
  onRead: () => void,
): AsyncGenerator<CaughtUp> {
  onRead()
  const { signal, deliver } = check(schema, options, wrongOptions)
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  for (const one of [signal, deliver ? kinds.payin.parts.draining : undefined]) {
    if (one?.aborted) stop.abort(one.reason)
    // Not by AbortSignal.any: Node 20 may collect what it makes of a signal with a timer.
    else one?.addEventListener('abort', () => stop.abort(one.reason), { signal: stop.signal })
  }
  const counts: Counts = new Map()
  try {
    signal?.throwIfAborted()
    for await (const one of inOrder(payments, (ref) => catchUpOne(kinds, ref, deliver, stop.signal))) {
      signal?.throwIfAborted()
      count(counts, one)
      yield one
    }
    if (!stop.signal.aborted) publish(counts)
  } finally {
    stop.abort()
  }
}

/** The results in the order of the items. */
async function* inOrder<T, R>(items: Many<T>, run: (item: T) => Promise<R>): AsyncGenerator<R> {
  const underWay: Promise<R>[] = []
  for await (const item of items) {
    const one = run(item)
    // It is awaited later.
    one.catch(() => undefined)
    underWay.push(one)
    const first = underWay.length < atOnce ? undefined : underWay.shift()
    if (first !== undefined) yield first
  }
  yield* underWay
}

/** Rejects only for what names no payment: a status request that fails doesn't end the run. */
async function catchUpOne(
  kinds: BothKinds,
  ref: PaymentRef,
  deliver: boolean,
  signal: AbortSignal,
): Promise<CaughtUp> {
  const { id } = targetOf(ref)
  const outcome = deliver ? delivered : lookedUp
  if (ref.idPayout === undefined) return { ref, idPayin: id, ...(await outcome(kinds.payin, id, signal)) }
  return { ref, idPayout: id, ...(await outcome(kinds.payout, id, signal)) }
}

async function lookedUp<P extends PaymentLike>(
  { parts: { requests } }: Deliveries<P>,
  id: string,
  signal: AbortSignal,
): Promise<CatchUpOutcome<P>> {
  const { payment, error } = await requests.poll(id, signal)
  return payment === undefined ? { final: false, error } : { payment, final: requests.read(payment).final }
}

async function delivered<P extends PaymentLike>(
  deliveries: Deliveries<P>,
  id: string,
  signal: AbortSignal,
): Promise<CatchUpOutcome<P>> {
  const delivery = signal.aborted ? undefined : deliveries.join(id, { signal })
  if (delivery === undefined) return { final: false, error: signal.reason ?? tooMany() }
  // The merchant's function goes on to its own end; whoever catches up need not wait for it.
  const done = await inTime(delivery.done, longestMs, signal)
  if (done === notInTime) return { final: false, error: signal.reason }
  const { result, payment, isCalled, error } = done
  if (result === 'unavailable') return { final: false, error }
  if (payment === undefined) return lookedUp(deliveries, id, signal)
  const failed = result === 'failed' || result === 'unhandled'
  return {
    payment,
    final: deliveries.parts.requests.read(payment).final,
    delivery: failed ? 'failed' : isCalled ? 'delivered' : 'nothing-new',
  }
}

function tooMany(): QueueFullError {
  return new QueueFullError(
    'more payments wait for their lookup or your function than maxPending allows; nothing was delivered, so catchUp again when fewer are waiting.',
  )
}

type Counts = Map<PaymentKind, { -readonly [Name in Exclude<keyof CatchUpEvent, 'kind'>]: number }>

const ended = channel('merchant-gateway:catch-up')

function count(counts: Counts, { idPayin, payment, final, delivery }: CaughtUp): void {
  const kind = idPayin === undefined ? 'payout' : 'payin'
  const ofKind = counts.get(kind) ?? { final: 0, open: 0, failed: 0, unavailable: 0, oldestOpenMs: 0 }
  counts.set(kind, ofKind)
  if (payment === undefined) ofKind.unavailable++
  else if (delivery === 'failed') ofKind.failed++
  else ofKind[final ? 'final' : 'open']++
  const createdAt = final ? undefined : timeIn(payment?.process?.createdAt)
  if (createdAt !== undefined) ofKind.oldestOpenMs = Math.max(ofKind.oldestOpenMs, Date.now() - createdAt)
}

function publish(counts: Counts): void {
  if (!ended.hasSubscribers) return
  for (const [kind, ofKind] of counts) {
    const event: CatchUpEvent = { kind, ...ofKind }
    ended.publish(event)
  }
}
