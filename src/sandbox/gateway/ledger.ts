import type { CallbackSender } from '../callbacks/sender.js'
import type { Clock } from '../clock/clock.js'
import type { Random } from '../clock/random.js'
import type { Timer } from '../clock/timer-queue.js'
import type { CallbackFaults } from '../faults/callback-faults.js'
import type { MagicAmount } from '../faults/magic-amounts.js'
import { callbackFaults } from '../faults/magic-faults.js'
import { type Balances, PAYOUT_FEE } from '../payments/balances.js'
import { Payment, type PaymentKind } from '../payments/payment.js'
import type { PaymentRequest } from '../payments/payment-request.js'
import { PaymentStore } from '../payments/payment-store.js'
import type { Target } from '../wire/routes.js'

/** How payments live in one sandbox; all times in ms on its clock. */
export interface BankSettings {
  readonly pendingAfterMs: number
  readonly settleAfterMs: number | false
  readonly settleJitterMs: number
  readonly expireAfterMs: number
  readonly maxPayments: number
  readonly magicAmounts: readonly MagicAmount[]
}

/** Holds the payments and moves them: CREATED, PENDING, and an end. */
export class Bank {
  readonly payins: PaymentStore
  readonly payouts: PaymentStore
  readonly #settings: BankSettings
  readonly #clock: Clock
  readonly #random: Random
  readonly #callbacks: CallbackSender
  readonly #callbackFaults: CallbackFaults
  readonly #balances: Balances
  readonly #byAmount: ReadonlyMap<number, MagicAmount>
  readonly #byOperator: ReadonlyMap<string | undefined, MagicAmount>
  readonly #plans = new Map<Payment, Timer>()

  constructor(
    settings: BankSettings,
    parts: {
      clock: Clock
      random: Random
      callbacks: CallbackSender
      callbackFaults: CallbackFaults
      balances: Balances
    },
  ) {
    this.#settings = settings
    this.#clock = parts.clock
    this.#random = parts.random
    this.#callbacks = parts.callbacks
    this.#callbackFaults = parts.callbackFaults
    this.#balances = parts.balances
    this.#byAmount = new Map(settings.magicAmounts.map((magic) => [magic.amount, magic]))
    const named = settings.magicAmounts.filter(({ operatorCode }) => operatorCode !== undefined)
    this.#byOperator = new Map(named.map((magic) => [magic.operatorCode, magic]))
    const letGo = (payment: Payment) => {
      this.#cancelPlan(payment)
      this.#callbackFaults.letGo(payment)
    }
    this.payins = new PaymentStore('payin', settings.maxPayments, letGo)
    this.payouts = new PaymentStore('payout', settings.maxPayments, letGo)
  }

  store(kind: PaymentKind): PaymentStore {
    return kind === 'payin' ? this.payins : this.payouts
  }

  /** The payment that a request is about. */
  at({ name, id }: Target): Payment | undefined {
    if (name === undefined || typeof id !== 'string') return undefined
    return this.store(name.includes('{idPayout}') ? 'payout' : 'payin').find(id)
  }

  /** What the request asks for by a magic value; the operator's code goes before the amount. */
  magic({ money, paymentOperatorCode }: PaymentRequest): MagicAmount | undefined {
    return this.#byOperator.get(paymentOperatorCode) ?? this.#byAmount.get(money.amount)
  }

  /** Accepts a payment. The caller has asked whether the id is taken. */
  accept(kind: PaymentKind, id: string, request: PaymentRequest): Payment {
    const payment = new Payment(
      kind,
      id,
      request,
      { reference: this.#random.digits(12), expireAfterMs: this.#settings.expireAfterMs },
      {
        now: () => this.#clock.now(),
        monotonic: () => this.#clock.monotonic(),
        changed: (changed, before) => this.#changed(changed, before),
        callback: (changed, form) => this.#callbacks.send(changed, form),
      },
    )
    this.store(kind).add(payment)
    this.#plan(payment, this.#settings.pendingAfterMs, () => this.#becomePending(payment))
    return payment
  }

  /** The first step of a payment, ahead of its time when it has not been taken yet. */
  hurry(payment: Payment): void {
    if (payment.status === 'CREATED') this.#becomePending(payment)
  }

  #becomePending(payment: Payment): void {
    payment.settle('PENDING')
    const magic = this.magic(payment.request)
    const outcome = magic?.outcome === undefined ? 'SUCCESS' : magic.outcome
    const settleAfterMs = magic?.afterMs ?? this.#settleAfterMs()
    const { pendingAfterMs, expireAfterMs } = this.#settings
    // Times count from the creation, and the payment has been PENDING for none of them yet.
    if (outcome !== null && settleAfterMs !== false) {
      this.#plan(payment, settleAfterMs - pendingAfterMs, () => payment.settle(outcome))
    } else if (payment.kind === 'payin') {
      // What nobody pays expires when its expireAt has come; a payout has no such time.
      this.#plan(payment, expireAfterMs - pendingAfterMs, () => payment.settle('EXPIRED'))
    }
  }

  #settleAfterMs(): number | false {
    const { settleAfterMs, settleJitterMs } = this.#settings
    return settleAfterMs === false ? false : settleAfterMs + settleJitterMs * this.#random.fraction()
  }

  #plan(payment: Payment, delayMs: number, step: () => void): void {
    const timer = this.#clock.schedule(Math.max(0, delayMs), () => {
      this.#plans.delete(payment)
      step()
    })
    this.#plans.set(payment, timer)
  }

  #cancelPlan(payment: Payment): void {
    this.#plans.get(payment)?.cancel()
    this.#plans.delete(payment)
  }

  #changed(payment: Payment, before: string): void {
    this.#cancelPlan(payment)
    if (payment.status === 'SUCCESS') this.#move(payment, 1)
    if (before === 'SUCCESS') this.#move(payment, -1)
    const kind = this.magic(payment.request)?.callbacks
    this.#callbackFaults.send(payment, kind === undefined ? undefined : callbackFaults[kind])
  }

  #move({ kind, money }: Payment, direction: 1 | -1): void {
    const amount = kind === 'payin' ? money.amount : -(money.amount + PAYOUT_FEE)
    this.#balances.add({ amount: amount * direction, currencyCode: money.currencyCode })
  }
}
