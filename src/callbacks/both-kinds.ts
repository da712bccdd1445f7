import type { Payin, Payout } from '../index.js'
import { Delivery, type DeliveryParts } from './delivery.js'

/** Payments of both kinds under one limit, `maxPending`. */
export class BothKinds {
  readonly payin: Delivery<Payin>
  readonly payout: Delivery<Payout>

  constructor(given: Omit<DeliveryParts, 'isFull'>) {
    const { port, settings } = given
    const { onPayin, onPayout, maxPending } = settings
    const parts = { ...given, isFull: () => this.size >= maxPending }
    this.payin = new Delivery(
      'payin',
      port.payin,
      onPayin && ((payment, idPayin, context) => onPayin(payment, { ...context, idPayin })),
      parts,
    )
    this.payout = new Delivery(
      'payout',
      port.payout,
      onPayout && ((payment, idPayout, context) => onPayout(payment, { ...context, idPayout })),
      parts,
    )
  }

  /** How many payments have work. */
  get size(): number {
    return this.payin.size + this.payout.size
  }

  async idle(): Promise<void> {
    while (this.size > 0) await Promise.all([this.payin.idle(), this.payout.idle()])
  }
}
