import { finalStatuses, type Payment } from '../../../packages/sandbox/src/gateway/payments/payment.js'
import type { Order } from '../plan.js'
import type { Machine } from '../world/machine.js'
import type { World } from '../world/world.js'
import { accountOf, type Call, type Ending, knowableOf } from './calls.js'
import type { Rule, Violation } from './rules.js'

/** A payment as the gateway took it. */
interface Accepted {
  readonly payment: Payment
  readonly call: number | undefined
}

/** So late a timer may be that is set to the millisecond, on a clock that drifts. */
const lateMs = 50

/** Looks at everything that happens, beside the gateway's own record, and knows what nobody in the story knows. */
export class Judge {
  readonly violations: Violation[] = []
  readonly calls: Call[] = []
  /** What the gateway accepted, by order. */
  readonly accepted = new Map<number, Accepted>()
  /** The last status of each payment that the merchant's function has dealt with, as an index of its history. */
  readonly #dealtWith = new Map<string, number>()
  readonly #arrivals: number[] = []
  readonly #world: World
  readonly #orders: ReadonlyMap<string, Order>

  constructor(world: World) {
    this.#world = world
    this.#orders = new Map(world.plan.orders.map((order) => [accountOf(order.number), order]))
  }

  violated(rule: Rule, says: string): void {
    this.violations.push({ rule, atMs: this.#world.now, says })
    this.#world.trace.add('judge', `${rule}: ${says}`)
  }

  /** A merchant calls create. */
  begins(order: Order, amount: number, deadlineMs: number): Call {
    const { here: machine, now: startedAt } = this.#world
    const { kind } = order
    const call: Call = {
      number: this.calls.length + 1,
      order: order.number,
      kind,
      amount,
      machine,
      life: machine.life,
      startedAt,
      sent: [],
      wasAccepted: false,
      ending: undefined,
    }
    this.calls.push(call)
    this.settles(`call ${call.number}`, deadlineMs, () => call.ending !== undefined)
    return call
  }

  /** Something of this machine has to end within so long, while the machine lives and is awake. */
  settles(what: string, withinMs: number, hasEnded: () => boolean): void {
    const { here: machine, nature, now: startedAt } = this.#world
    const { life } = machine
    const look = () => {
      if (machine.life !== life || hasEnded()) return
      // A machine that stood still meanwhile has had less time.
      if (machine.frozenUntil + lateMs > this.#world.now && machine.frozenUntil > startedAt) {
        this.#world.at(nature, machine.frozenUntil + lateMs - this.#world.now, look)
      } else this.violated('settled within its deadline', `${what} has not ended after ${withinMs} ms`)
    }
    this.#world.at(nature, machine.trueMs(withinMs) + lateMs, look)
  }

  /** A create has resolved or rejected. */
  ended(call: Call, ending: Ending): void {
    call.ending = ending
    const said =
      ending.kind === 'success'
        ? `success${ending.replayed ? ', replayed' : ''}`
        : `${ending.code} ${ending.outcome}`
    this.#world.trace.add(call.machine.name, `call ${call.number} of order ${call.order} ended: ${said}`)
    const knowable = knowableOf(call)
    const payment = this.accepted.get(call.order)?.payment
    const lie = (says: string) =>
      this.violated('an outcome that is true', `call ${call.number} of order ${call.order} ${says}`)
    if (ending.kind === 'success') {
      if (payment === undefined) lie('succeeded, and the gateway has no such payment')
      else if (payment.money.amount !== call.amount) lie('succeeded, and the payment is over other money')
      else if (payment.id !== ending.id) lie('succeeded under another id')
      return
    }
    const { outcome, code } = ending
    if (outcome === 'accepted' && payment === undefined)
      lie("says 'accepted', and the gateway has no such payment")
    if (code === 'idempotency_conflict') {
      if (payment?.money.amount === call.amount) lie('says that the payment is another one, and it is not')
      return
    }
    const expected = { nothing: 'not-accepted', possible: 'unknown', certain: 'accepted' }[knowable]
    if (outcome !== expected) lie(`ended with ${code} '${outcome}', and '${expected}' is what could be known`)
    this.#checkNotAccepted(call)
  }

  /** The gateway has accepted a payment now. */
  accepts(payment: Payment, number: number | undefined): void {
    const call = number === undefined ? undefined : this.calls[number - 1]
    const account = payment.request.account?.accountNumber ?? ''
    const order = this.#orders.get(account)
    const { kind, id } = payment
    const what = `${kind} ${id} for account ${account}`
    if (order === undefined || call === undefined || order.number !== call.order || order.kind !== kind) {
      this.violated('the money and account that were asked for', `${what}, which nobody asked for`)
      return
    }
    if (payment.money.amount !== call.amount) {
      this.violated('the money and account that were asked for', `${what} is over ${payment.money.amount}`)
    }
    const before = this.accepted.get(order.number)
    if (before !== undefined) {
      this.violated(
        'one payment for each order',
        `${what} is the second one; the first is ${before.payment.id}`,
      )
      return
    }
    this.accepted.set(order.number, { payment, call: number })
    call.wasAccepted = true
    this.#checkNotAccepted(call)
  }

  /** Whoever was told that no payment was made may do anything, so none may come later. */
  #checkNotAccepted({ wasAccepted, ending, number }: Call): void {
    if (wasAccepted && ending?.kind === 'error' && ending.outcome === 'not-accepted') {
      this.violated(
        'an outcome that is true',
        `call ${number} said 'not-accepted', and its request was accepted`,
      )
    }
  }

  /** A request arrives at the gateway, as soon as the network promises. */
  arrives(): void {
    const arrivals = this.#arrivals
    const at = this.#world.gateway.monotonic(this.#world.now)
    arrivals.push(at)
    if (arrivals.length > 11) arrivals.shift()
    const eleventh = at - (arrivals[0] ?? 0)
    if (arrivals.length === 11 && eleventh < 1000) {
      this.violated('ten requests a second', `eleven arrived within ${eleventh.toFixed(1)} ms`)
    }
  }

  /** The merchant's function has dealt with this status. */
  dealtWith(
    kind: 'payin' | 'payout',
    id: string,
    payment: Payment | undefined,
    status: string | undefined,
  ): void {
    const index = payment?.history.findLastIndex((change) => change.status === status) ?? -1
    const key = `${kind} ${id}`
    if (index > (this.#dealtWith.get(key) ?? -1)) this.#dealtWith.set(key, index)
  }

  hasDealtWith({ kind, id, history }: Payment): boolean {
    return (this.#dealtWith.get(`${kind} ${id}`) ?? -1) >= history.length - 1
  }

  /** A callback was answered 2xx, about a payment that had so many statuses when it arrived. */
  callbackTaken({ kind, id }: Payment, statuses: number): void {
    if ((this.#dealtWith.get(`${kind} ${id}`) ?? -1) >= statuses - 1) return
    this.violated(
      'a callback is answered when it is dealt with',
      `a callback about ${kind} ${id} was answered 2xx, and the merchant's function has not dealt with it`,
    )
  }

  /** A payout's job says that it is done. */
  settledFor(order: Order, status: string | undefined): void {
    const payment = this.accepted.get(order.number)?.payment
    if (payment === undefined || payment.status !== status || !finalStatuses.has(payment.status)) {
      this.violated(
        'a verdict that is true',
        `order ${order.number} is done as ${status}, and is ${payment?.status}`,
      )
    } else this.dealtWith(payment.kind, payment.id, payment, status)
  }

  /** A payout's job wants a person. */
  stopped(order: Order, because: 'refused' | 'review' | 'conflict'): void {
    this.#world.trace.add('judge', `the job of order ${order.number} stops: ${because}`)
    if (because === 'refused' && order.again.length === 0 && this.accepted.has(order.number)) {
      this.violated(
        'a verdict that is true',
        `order ${order.number} is called refused, and the gateway has it`,
      )
    }
  }

  /** A wait resolved. */
  waited(order: Order, status: string | undefined): void {
    const payment = this.accepted.get(order.number)?.payment
    if (payment !== undefined && payment.status === status && finalStatuses.has(payment.status)) return
    this.violated(
      'a wait ends with the final status',
      `order ${order.number} was waited for until ${status}, and is ${payment?.status}`,
    )
  }

  /** A client has been closed: what was on the wire has come to its end, and its callers know. */
  closed(machine: Machine): void {
    for (const call of this.calls) {
      if (call.machine !== machine || call.life !== machine.life || call.ending !== undefined) continue
      this.violated('nothing is left', `${machine.name} closed its client, and call ${call.number} goes on`)
    }
  }

  /** What a machine leaves when its client is closed. */
  leaves(machine: Machine, listeners: number): void {
    const timers = this.#world.scheduler.timersOf(machine)
    if (timers + listeners === 0) return
    this.violated('nothing is left', `${machine.name} left ${timers} timers and ${listeners} listeners`)
  }
}
