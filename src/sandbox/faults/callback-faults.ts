import type { CallbackSender, SendPrepared } from '../callbacks/sender.js'
import type { Payment, PaymentKind } from '../payments/payment.js'
import { checkTimes, ownFault } from './check-fault.js'
import type { FaultHandle } from './fault.js'

/**
 * What goes wrong with a callback. Delivery rules are a gap in section 6, so a merchant has to live with all.
 */
export type CallbackFaultAction =
  | {
      /** It is never sent. */
      readonly kind: 'missing'
    }
  | {
      /** It is sent two times. */
      readonly kind: 'twice'
    }
  | {
      /** It is sent later; the payment may have moved on by then. */
      readonly kind: 'late'
      /** How much later: milliseconds by the sandbox's clock. */
      readonly ms: number
    }
  | {
      /** It waits until the payment's next callback has been answered, and comes after it. */
      readonly kind: 'swapped'
    }

/** Which callbacks a fault hits. */
export interface CallbackAim {
  /** Only callbacks about payins, or about payouts. */
  readonly kind?: PaymentKind
  /** Only callbacks about the payment with this idPayin or idPayout. */
  readonly id?: string
  /** How many callbacks it hits: 1 by default; `Infinity` for all. */
  readonly times?: number
}

/** A fault of callbacks to arm. */
export interface CallbackFaultOptions extends CallbackAim {
  /** What goes wrong. */
  readonly action: CallbackFaultAction
}

interface Armed {
  readonly options: CallbackFaultOptions
  left: number
  hits: number
}

const kinds = new Set<CallbackFaultAction['kind']>(['missing', 'twice', 'late', 'swapped'])

/** Sends the callback of every change of status, unless a fault that is armed says otherwise. One callback meets one fault. */
export class CallbackFaults {
  readonly #sender: CallbackSender
  readonly #held = new Map<Payment, SendPrepared>()
  readonly #following = new Set<Promise<void>>()
  #armed: Armed[] = []

  constructor(sender: CallbackSender) {
    this.#sender = sender
  }

  /** @throws Error that names what is wrong with the fault */
  arm(given: CallbackFaultOptions): FaultHandle {
    const options = ownFault(given)
    check(options)
    const fault: Armed = { options, left: options.times ?? 1, hits: 0 }
    this.#armed.push(fault)
    return {
      get hits() {
        return fault.hits
      },
      remove: () => this.#disarm(fault),
    }
  }

  clear(): void {
    this.#armed = []
  }

  /**
   * Sends the callback about a payment, or lets it meet a fault: one that is armed, else `magic`, which the
   * payment asks for by its amount or operator.
   */
  send(payment: Payment, magic: CallbackFaultAction | undefined): void {
    const send = this.#sender.prepare(payment)
    if (send === undefined) return
    const held = this.#held.get(payment)
    if (held !== undefined) this.#sendInOrder(payment, send, held)
    else this.#apply(this.#take(payment) ?? magic, payment, send)
  }

  /** Forgets the callback that is held for a payment; the sandbox no longer keeps that payment. */
  forget(payment: Payment): void {
    this.#held.delete(payment)
  }

  /** Resolves when nothing is being delivered and nothing waits for a delivery. */
  async idle(): Promise<void> {
    do {
      await this.#sender.idle()
      await Promise.all(this.#following)
      // A callback that followed has begun a delivery of its own.
      await this.#sender.idle()
    } while (this.#following.size > 0)
  }

  #apply(fault: CallbackFaultAction | undefined, payment: Payment, send: SendPrepared): void {
    if (fault?.kind === 'late') send(fault.ms)
    else if (fault?.kind === 'swapped') this.#held.set(payment, send)
    else if (fault?.kind !== 'missing') send()
    if (fault?.kind === 'twice') send()
  }

  #sendInOrder(payment: Payment, first: SendPrepared, then: SendPrepared): void {
    this.#held.delete(payment)
    first()
    const following = this.#sender.idle().then(() => {
      then()
      this.#following.delete(following)
    })
    this.#following.add(following)
  }

  #take(payment: Payment): CallbackFaultAction | undefined {
    const fault = this.#armed.find(({ options: { kind = payment.kind, id = payment.id } }) => {
      return kind === payment.kind && id === payment.id
    })
    if (fault === undefined) return undefined
    fault.hits += 1
    fault.left -= 1
    if (fault.left <= 0) this.#disarm(fault)
    return fault.options.action
  }

  #disarm(fault: Armed): void {
    this.#armed = this.#armed.filter((other) => other !== fault)
  }
}

function check({ kind, times = 1, action }: CallbackFaultOptions): void {
  if (kind !== undefined && kind !== 'payin' && kind !== 'payout') {
    throw new Error('callbackFault({ kind }) must be payin or payout.')
  }
  checkTimes('callbackFault', times)
  if (!kinds.has(action?.kind)) {
    throw new Error(`callbackFault({ action }) must have a kind of: ${[...kinds].join(', ')}.`)
  }
  if (action.kind === 'late' && !(Number.isFinite(action.ms) && action.ms >= 0)) {
    throw new Error('callbackFault({ action: { ms } }) must be a number of milliseconds, 0 or more.')
  }
}
