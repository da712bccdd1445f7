import type { CallbackSender, PreparedCallback } from '../callbacks/sender.js'
import type { Payment } from '../payments/payment.js'
import { ArmedList } from './armed-list.js'
import type { CallbackFaultAction } from './callback-fault-kinds.js'
import { checkCallbackFault } from './check-fault.js'
import type { CallbackFaultOptions } from './fault.js'

/** Sends the callback of every change of status, unless a fault that is armed says otherwise. One callback meets one fault. */
export class CallbackFaults extends ArmedList<CallbackFaultOptions> {
  readonly #sender: CallbackSender
  readonly #held = new Map<Payment, PreparedCallback>()
  readonly #following = new Set<Promise<void>>()

  constructor(sender: CallbackSender, onChange: () => void) {
    super(checkCallbackFault, onChange)
    this.#sender = sender
  }

  /** @param magic the fault that the payment asks for by its amount or operator; an armed one goes before it */
  send(payment: Payment, magic: CallbackFaultAction | undefined): void {
    const callback = this.#sender.prepare(payment)
    if (callback === undefined) return
    const held = this.#held.get(payment)
    if (held !== undefined) {
      this.#sendInOrder(payment, callback, held)
      return
    }
    const armed = this.#take(payment)
    this.#apply(armed ?? magic, payment, callback, armed === undefined)
  }

  forget(payment: Payment): void {
    this.#held.delete(payment)
  }

  forgetAll(): void {
    this.#held.clear()
  }

  async idle(): Promise<void> {
    do {
      await this.#sender.idle()
      await Promise.all(this.#following)
      // A callback that followed has begun a delivery of its own.
      await this.#sender.idle()
    } while (this.#following.size > 0)
  }

  #apply(
    fault: CallbackFaultAction | undefined,
    payment: Payment,
    callback: PreparedCallback,
    isMagic: boolean,
  ): void {
    if (fault === undefined) {
      callback.send()
      return
    }
    const { kind } = fault
    const met = { kind, isMagic }
    if (kind === 'missing') callback.withhold(met)
    else if (kind === 'late') callback.send(fault.ms, met)
    else if (kind === 'twice') {
      callback.send(undefined, met)
      callback.send(undefined, met)
    } else {
      this.#held.set(payment, {
        ...callback,
        send: (afterMs) => callback.send(afterMs, met),
      })
    }
  }

  #sendInOrder(payment: Payment, first: PreparedCallback, then: PreparedCallback): void {
    this.#held.delete(payment)
    first.send()
    const following = this.#sender.idle().then(() => {
      then.send()
      this.#following.delete(following)
    })
    this.#following.add(following)
  }

  #take(payment: Payment): CallbackFaultAction | undefined {
    const fault = this.find(
      ({ kind = payment.kind, id = payment.id, match }) =>
        kind === payment.kind && id === payment.id && match?.(payment) !== false,
    )
    if (fault !== undefined) this.hit(fault.key)
    return fault?.options.action
  }
}
