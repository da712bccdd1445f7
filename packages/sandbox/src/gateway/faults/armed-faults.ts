import type { CallbackSender, PreparedCallback } from '../callbacks/sender.js'
import type { Random } from '../clock/random.js'
import type { Payment } from '../payments/payment.js'
import type { GatewayRequest } from '../wire/request.js'
import type { Target } from '../wire/routes.js'
import { checkCallbackFault, checkFault } from './check-fault.js'
import type { CallbackFaultAction, CallbackFaultOptions, FaultHandle, FaultOptions } from './fault.js'
import { isAt } from './fault-kinds.js'

/** The options of a fault that waits for its request or callback, and what it has done. */
export interface Armed<Options> {
  /** One number for each fault of a sandbox, never used again. */
  readonly key: number
  readonly options: Options
  readonly hits: number
  readonly toSkip: number
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

class ArmedList<Options extends { readonly times?: number; readonly skip?: number }> {
  readonly #check: (options: Options) => void
  readonly #onChange: () => void
  #armed: Mutable<Armed<Options>>[] = []
  #nextKey = 1

  /** @param check throws an Error that names what is wrong with a fault */
  constructor(check: (options: Options) => void, onChange: () => void) {
    this.#check = check
    this.#onChange = onChange
  }

  /** @throws naming what is wrong with the fault (`Error`). */
  arm(given: Options): FaultHandle {
    this.#check(given)
    const options = { ...given }
    const key = this.#nextKey
    this.#nextKey += 1
    const fault = { key, options, hits: 0, toSkip: options.skip ?? 0 }
    this.#armed.push(fault)
    this.#onChange()
    return {
      get hits() {
        return fault.hits
      },
      remove: () => this.disarm(key),
    }
  }

  list(): Armed<Options>[] {
    return this.#armed.map((fault) => ({ ...fault }))
  }

  disarm(key: number): void {
    const left = this.#armed.filter((other) => other.key !== key)
    if (left.length === this.#armed.length) return
    this.#armed = left
    this.#onChange()
  }

  clear(): void {
    this.#armed = []
    this.#onChange()
  }

  /** The first that fits; undefined when there is none, or when it lets this one pass. */
  protected find(fits: (options: Options) => boolean): Armed<Options> | undefined {
    const fault = this.#armed.find(({ options }) => fits(options))
    if (fault === undefined || fault.toSkip === 0) return fault
    fault.toSkip -= 1
    return undefined
  }

  protected hit(key: number): void {
    const fault = this.#armed.find((other) => other.key === key)
    if (fault === undefined) return
    fault.hits += 1
    if (fault.hits >= (fault.options.times ?? 1)) this.disarm(key)
    else this.#onChange()
  }
}

/** The armed faults of a sandbox. A request meets at most one: the first that was armed and matches. */
export class Faults extends ArmedList<FaultOptions> {
  readonly #random: Random

  constructor(random: Random, onChange: () => void) {
    super(checkFault, onChange)
    this.#random = random
  }

  /** The fault that a request meets. Taken on arrival, so that `skip` and `times` count arrivals. */
  take({ name, id }: Target, request: GatewayRequest): Pick<FaultOptions, 'action' | 'until'> | undefined {
    const fault = this.find((options) => {
      return (
        isAt(options.route, name) &&
        (options.id === undefined || options.id === id) &&
        matches(options, request)
      )
    })
    if (fault === undefined) return undefined
    const { probability = 1 } = fault.options
    if (probability < 1 && this.#random.fraction() >= probability) return undefined
    this.hit(fault.key)
    return fault.options
  }
}

function matches({ match }: FaultOptions, { method, path, body }: GatewayRequest): boolean {
  return match === undefined || match({ method, path, bodyText: Buffer.from(body).toString('utf8') })
}

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
