import { type CallbackPort, isGatewayError, type PaymentLike, statusOf, TimeoutError } from '../index.js'
import type { Work } from './one-at-a-time.js'
import type { CallbackFailure, CallbackSettings, DeliveryContext } from './options.js'
import { keyOf } from './payment-ref.js'
import { judge } from './seen.js'
import type { CallbackTarget } from './signed-path.js'
import type { Spacing } from './spacing.js'
import { Turns } from './turns.js'
import { pause, within } from './waiting.js'

/** How dealing with a callback ended. */
export type DeliveryResult = 'succeeded' | 'failed' | 'unavailable'

/** What the receiver lends to its deliveries. */
export interface DeliveryParts {
  readonly port: CallbackPort
  readonly settings: CallbackSettings
  readonly spacing: Spacing
  /** Fires when the receiver is drained. */
  readonly draining: AbortSignal
  /** A callback told of a status that was not known. */
  readonly onNews: () => void
}

/**
 * How many look-ups the client is asked for at once. Those that are not asked for yet serve all callbacks
 * that come meanwhile, so a small number saves look-ups; ten are what the gateway takes in a second.
 */
const lookUpsAtOnce = 10

/** From a callback that is proved to the merchant's function: look up, judge, call, remember. */
export class Delivery {
  readonly #parts: DeliveryParts
  readonly #turns = new Turns(lookUpsAtOnce)

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  start(target: CallbackTarget): Work<DeliveryResult> {
    const { id } = target
    const { port, settings } = this.#parts
    const { onPayin, onPayout } = settings
    if (target.kind === 'payin') {
      return this.#work(target, port.payin, (payment, context) =>
        onPayin?.(payment, { ...context, idPayin: id }),
      )
    }
    return this.#work(target, port.payout, (payment, context) =>
      onPayout?.(payment, { ...context, idPayout: id }),
    )
  }

  #work<P extends PaymentLike>(
    target: CallbackTarget,
    lookUps: LookUps<P>,
    call: Call<P>,
  ): Work<DeliveryResult> {
    let begun = false
    const looked = this.#inTurn(target, () => {
      begun = true
      return this.#lookUp(target, lookUps)
    })
    const done = looked.then((payment) =>
      payment === undefined ? 'unavailable' : this.#tell(target, payment, call),
    )
    return { hasBegun: () => begun, looked, done }
  }

  /** Not before its time, not too many at once, and not at all when nobody waits for it any more. */
  async #inTurn<P>(target: CallbackTarget, look: () => Promise<P | undefined>): Promise<P | undefined> {
    const { spacing, draining } = this.#parts
    const gapMs = spacing.gapMs(keyOf(target))
    if (gapMs > 0) await pause(gapMs, draining)
    const turn = this.#turns.take()
    if (turn !== undefined) await turn
    try {
      return draining.aborted ? undefined : await look()
    } finally {
      this.#turns.end()
    }
  }

  /** The payment; undefined when it can't be had now, or is not visible yet (a 404 proves nothing). */
  async #lookUp<P extends PaymentLike>(target: CallbackTarget, lookUps: LookUps<P>): Promise<P | undefined> {
    const { spacing, draining, onNews } = this.#parts
    const key = keyOf(target)
    try {
      const payment = await lookUps.lookUp(target.id, 'callback', { signal: draining })
      if (spacing.found(key, statusOf(payment))) onNews()
      lookUps.seen(target.id, payment)
      return payment
    } catch (error) {
      if (draining.aborted) return undefined
      spacing.failed(key)
      const notVisibleYet = isGatewayError(error) && error.code === 'not_found'
      if (!notVisibleYet) this.#report(error, target, 'look-up')
      return undefined
    }
  }

  async #tell<P extends PaymentLike>(
    target: CallbackTarget,
    payment: P,
    call: Call<P>,
  ): Promise<DeliveryResult> {
    const { port, settings } = this.#parts
    const key = keyOf(target)
    try {
      const now = { status: statusOf(payment), final: port.isFinal(payment) }
      const last = await this.#store(target, () => settings.seen.get(key))
      const verdict = judge(last ?? undefined, now)
      if (!verdict.call) return 'succeeded'
      await this.#bounded('the function', (signal) => call(payment, { news: verdict.news, signal }))
      // Only now: what was not dealt with is not remembered, and comes again.
      await this.#store(target, () => settings.seen.set(key, now))
      return 'succeeded'
    } catch (error) {
      this.#report(error, target, 'function')
      return 'failed'
    }
  }

  /** A store that fails or hangs is as good as one that knows nothing. */
  async #store<T>(target: CallbackTarget, use: () => T | PromiseLike<T>): Promise<T | undefined> {
    try {
      return await this.#bounded('the seen store', use)
    } catch (error) {
      this.#report(error, target, 'seen-store')
      return undefined
    }
  }

  #bounded<T>(what: string, run: (signal: AbortSignal) => T | PromiseLike<T>): Promise<T> {
    const { functionTimeoutMs } = this.#parts.settings
    const late = () =>
      new TimeoutError(
        `${what} did not end within functionTimeoutMs (${functionTimeoutMs} ms); it may still run when the callback comes again, so heed the signal and make it faster.`,
      )
    return within(functionTimeoutMs, late, run)
  }

  /** A reporter that fails must not change what the gateway is answered. */
  #report(error: unknown, { kind, id }: CallbackTarget, during: CallbackFailure['during']): void {
    const tell = async () => this.#parts.settings.onError(error, { kind, id, during })
    tell().catch(() => undefined)
  }
}

type Call<P> = (payment: P, context: DeliveryContext) => unknown

interface LookUps<P> {
  lookUp(id: string, lane: 'callback', options: { signal: AbortSignal }): Promise<P>
  seen(id: string, payment: P): void
}
