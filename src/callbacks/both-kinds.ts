import { ConfigurationError, type Payin, type PaymentKind, type PaymentLike, type Payout } from '../index.js'
import { type Delivered, Delivery, type DeliveryParts, type LookUps, type Occasion } from './delivery.js'
import { OneAtATime, type Work } from './one-at-a-time.js'

/** How many callbacks for one payment may wait for the same look-up, each with a connection. */
const joinedForEach = 100

/** Payments of one kind: at most one delivery for each at a time, whoever causes it. */
export class OneKind<P extends PaymentLike> {
  readonly #delivery: Delivery<P>
  readonly #work: OneAtATime<Delivered<P>>
  readonly lookUps: LookUps<P>

  constructor(delivery: Delivery<P>, lookUps: LookUps<P>, isFull: () => boolean) {
    this.#delivery = delivery
    this.lookUps = lookUps
    this.#work = new OneAtATime({ isFull, joinedForEach })
  }

  /** How many payments have work. */
  get size(): number {
    return this.#work.size
  }

  /** The delivery whose look-up begins after this moment; undefined when too many wait. */
  run(id: string, occasion: Occasion): Work<Delivered<P>> | undefined {
    return this.#work.run(id, () => this.#delivery.start(id, occasion))
  }

  idle(): Promise<void> {
    return this.#work.idle()
  }
}

/** @throws {ConfigurationError} where the receiver has no function for this kind. */
function required<F>(kind: PaymentKind, given: F | undefined): F {
  if (given === undefined) throw noFunction(kind)
  return given
}

/** The receiver was made without a function for this kind, and payments of it come. */
export function noFunction(kind: PaymentKind): ConfigurationError {
  const option = kind === 'payin' ? 'onPayin' : 'onPayout'
  return new ConfigurationError(
    `a ${kind} changed, and the receiver has no ${option}; give it one, or no ${kind} a callbackUrl of this receiver.`,
    { option },
  )
}

/** Both kinds under one limit, `maxPending`. */
export class BothKinds {
  readonly payin: OneKind<Payin>
  readonly payout: OneKind<Payout>

  constructor(parts: DeliveryParts) {
    const { port, settings } = parts
    const { onPayin, onPayout, maxPending } = settings
    const isFull = () => this.size >= maxPending
    const payin = new Delivery(
      'payin',
      port.payin,
      (payment, idPayin, context) => required('payin', onPayin)(payment, { ...context, idPayin }),
      parts,
    )
    const payout = new Delivery(
      'payout',
      port.payout,
      (payment, idPayout, context) => required('payout', onPayout)(payment, { ...context, idPayout }),
      parts,
    )
    this.payin = new OneKind(payin, port.payin, isFull)
    this.payout = new OneKind(payout, port.payout, isFull)
  }

  /** How many payments have work. */
  get size(): number {
    return this.payin.size + this.payout.size
  }

  async idle(): Promise<void> {
    while (this.size > 0) await Promise.all([this.payin.idle(), this.payout.idle()])
  }
}
