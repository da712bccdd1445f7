import type { CallbackPort, Payin, Payout } from '../index.js'
import { checkTarget, type PaymentRef } from './payment-ref.js'
import type { CallbackTarget } from './signed-path.js'

/** Options of `CallbackReceiver.reconcile`. */
export interface ReconcileOptions {
  /** Ends the run with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Called after each payment. */
  onProgress?: ((progress: ReconcileProgress) => void) | undefined
}

/** How far a run has come. */
export interface ReconcileProgress {
  /** How many payments have been dealt with. */
  readonly done: number
  /** How many of them could not be looked up. */
  readonly failed: number
}

/** One payment as it is now; or the error that its look-up ended with. */
export type Reconciled =
  | {
      /** The payment that was asked for. */
      readonly ref: PaymentRef
      /** The payment as it is now. */
      readonly payment: Payin | Payout
      /** Whether it will not change any more, by the client's `isFinal`. */
      readonly final: boolean
      /** Absent: the look-up went well. */
      readonly error?: undefined
    }
  | {
      /** The payment that was asked for. */
      readonly ref: PaymentRef
      /** Absent: the look-up failed. */
      readonly payment?: undefined
      /** Not known to be final. */
      readonly final: false
      /** What the look-up ended with. */
      readonly error: unknown
    }

/** How many look-ups are under way at once: the budget paces them, this keeps memory flat. */
const atOnce = 10

export async function* reconcile(
  port: CallbackPort,
  payments: Iterable<PaymentRef> | AsyncIterable<PaymentRef>,
  { signal, onProgress }: ReconcileOptions,
): AsyncGenerator<Reconciled> {
  const stop = new AbortController()
  const onAbort = () => stop.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  const underWay: Promise<Reconciled>[] = []
  const progress = { done: 0, failed: 0 }
  const settle = (one: Reconciled) => {
    signal?.throwIfAborted()
    progress.done++
    if (one.payment === undefined) progress.failed++
    onProgress?.({ ...progress })
    return one
  }
  try {
    signal?.throwIfAborted()
    for await (const ref of payments) {
      underWay.push(lookUp(port, ref, checkTarget(ref), stop.signal))
      const first = underWay.length < atOnce ? undefined : underWay.shift()
      if (first !== undefined) yield settle(await first)
    }
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift())
      yield settle(await first)
  } finally {
    // Also when the loop over this generator is left early.
    stop.abort()
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Never rejects: one payment that can't be looked up doesn't end the run. */
async function lookUp(
  port: CallbackPort,
  ref: PaymentRef,
  { kind, id }: CallbackTarget,
  signal: AbortSignal,
): Promise<Reconciled> {
  try {
    const payment = kind === 'payin' ? await look(port.payin) : await look(port.payout)
    return { ref, payment, final: port.isFinal(payment) }
  } catch (error) {
    return { ref, final: false, error }
  }
  async function look<P>(lookUps: {
    lookUp(id: string, lane: 'poll', options: { signal: AbortSignal }): Promise<P>
    seen(id: string, payment: P): void
  }): Promise<P> {
    const payment = await lookUps.lookUp(id, 'poll', { signal })
    lookUps.seen(id, payment)
    return payment
  }
}
