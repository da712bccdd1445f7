import type { CallbackSender } from '../callbacks/sender.js'
import type { Clock, Timer } from '../clock/clock.js'
import type { Random } from '../clock/random.js'
import type { CallbackFaults } from '../faults/armed-faults.js'
import type { MagicAmount } from '../faults/magic-amounts.js'
import type { SandboxSettings } from '../normalise-options.js'
import { type Balances, PAYOUT_FEE } from '../payments/balances.js'
import { Payment, type PaymentKind, type StatusCause } from '../payments/payment.js'
import type { PaymentRequest } from '../payments/payment-request.js'
import { PaymentStore } from '../payments/payment-store.js'
import type { Target } from '../wire/routes.js'

interface LedgerParts {
  readonly clock: Clock
  readonly random: Random
  readonly callbacks: CallbackSender
  readonly callbackFaults: CallbackFaults
  readonly balances: Balances
}

/** Holds payments and moves them to their final status. A change moves the balances and sends the callback. */
export class Ledger {
  readonly payins: PaymentStore
  readonly payouts: PaymentStore
  readonly #settings: SandboxSettings
  readonly #parts: LedgerParts
  readonly #byAmount: ReadonlyMap<number, MagicAmount>
  readonly #byOperator: ReadonlyMap<string | undefined, MagicAmount>
  readonly #nextSteps = new Map<Payment, Timer>()
  #accepted = 0
  readonly #counted = new WeakSet<Payment>()
  /** Payouts whose fee was taken for good. */
  readonly #keptFees = new WeakSet<Payment>()

  constructor(settings: SandboxSettings, parts: LedgerParts) {
    this.#settings = settings
    this.#parts = parts
    this.#byAmount = new Map(settings.magicAmounts.map((magic) => [magic.amount, magic]))
    this.#byOperator = new Map(settings.magicAmounts.map((magic) => [magic.operatorCode, magic]))
    const forget = (payment: Payment) => {
      this.#cancelNextStep(payment)
      this.#parts.callbackFaults.forget(payment)
    }
    this.payins = new PaymentStore('payin', settings.maxPayments, forget)
    this.payouts = new PaymentStore('payout', settings.maxPayments, forget)
  }

  store(kind: PaymentKind): PaymentStore {
    return kind === 'payin' ? this.payins : this.payouts
  }

  paymentOf({ name, id }: Target): Payment | undefined {
    if (name === undefined || typeof id !== 'string') return undefined
    return this.store(name.includes('{idPayout}') ? 'payout' : 'payin').find(id)
  }

  /** The magic value that a request carries, if any; the operator's code goes before the amount. */
  magic({ money, paymentOperatorCode }: PaymentRequest): MagicAmount | undefined {
    return this.#byOperator.get(paymentOperatorCode) ?? this.#byAmount.get(money.amount)
  }

  /** Accepts a payment. The caller has made sure that the id is not taken. */
  accept(kind: PaymentKind, id: string, request: PaymentRequest, notes: readonly string[]): Payment {
    this.#accepted += 1
    const payment = new Payment(
      kind,
      id,
      request,
      {
        number: this.#accepted,
        reference: this.#parts.random.digits(12),
        expireAfterMs: this.#settings.expireAfterMs,
        notes,
      },
      {
        now: () => this.#parts.clock.now(),
        monotonic: () => this.#parts.clock.monotonic(),
        changed: (changed) => this.#statusChanged(changed),
        callback: (changed, form, source) => this.#parts.callbacks.send(changed, form, source),
      },
    )
    this.store(kind).add(payment)
    this.#moveBalance(payment)
    this.#schedule(payment, this.#settings.pendingAfterMs, () => this.#becomePending(payment, 'gateway'))
    return payment
  }

  clear(): void {
    for (const timer of this.#nextSteps.values()) timer.cancel()
    this.#nextSteps.clear()
    this.#parts.callbackFaults.forgetAll()
    this.payins.clear()
    this.payouts.clear()
  }

  becomePendingNow(payment: Payment): void {
    if (payment.status === 'CREATED') this.#becomePending(payment, 'fault')
  }

  #becomePending(payment: Payment, cause: StatusCause): void {
    payment.change('PENDING', cause)
    const magic = this.magic(payment.request)
    const outcome = magic?.outcome === undefined ? 'SUCCESS' : magic.outcome
    const payAfterMs = magic?.afterMs ?? this.#payAfterMs()
    const { pendingAfterMs, expireAfterMs } = this.#settings
    const by = magic?.outcome === undefined ? 'gateway' : 'magic'
    // Both times count from the creation, and `pendingAfterMs` of them has passed.
    if (outcome !== null && payAfterMs !== false) {
      this.#schedule(payment, payAfterMs - pendingAfterMs, () => payment.change(outcome, by))
    } else if (payment.kind === 'payin') {
      // A payin that nobody pays expires at its expireAt; a payout has none.
      this.#schedule(payment, expireAfterMs - pendingAfterMs, () => payment.change('EXPIRED', 'gateway'))
    }
  }

  #payAfterMs(): number | false {
    const { payAfterMs, payJitterMs } = this.#settings
    return payAfterMs === false ? false : payAfterMs + payJitterMs * this.#parts.random.fraction()
  }

  #schedule(payment: Payment, delayMs: number, step: () => void): void {
    const timer = this.#parts.clock.schedule(Math.max(0, delayMs), () => {
      this.#nextSteps.delete(payment)
      step()
    })
    this.#nextSteps.set(payment, timer)
  }

  #cancelNextStep(payment: Payment): void {
    this.#nextSteps.get(payment)?.cancel()
    this.#nextSteps.delete(payment)
  }

  #statusChanged(payment: Payment): void {
    this.#cancelNextStep(payment)
    this.#moveBalance(payment)
    this.#parts.callbackFaults.send(payment, this.magic(payment.request)?.callbacks)
  }

  #moveBalance(payment: Payment): void {
    const { kind, money } = payment
    const counts = this.#counts(payment)
    if (counts === this.#counted.has(payment)) return
    if (counts) this.#counted.add(payment)
    else this.#counted.delete(payment)
    const direction = counts ? 1 : -1
    const amount = (kind === 'payin' ? money.amount : -money.amount) * direction
    const fee = kind === 'payin' ? 0 : this.#feeOf(payment, direction)
    this.#parts.balances.add({ amount: amount - fee, currencyCode: money.currencyCode })
  }

  #counts({ kind, status, processedAt }: Payment): boolean {
    const { pendingPayins = false, pendingPayouts = false } = this.#settings.balanceCounts
    if (status === 'SUCCESS') return true
    return processedAt === undefined && (kind === 'payin' ? pendingPayins : pendingPayouts)
  }

  /** What the fee takes from the balance as a payout goes into it (1) or out of it (-1). */
  #feeOf(payout: Payment, direction: 1 | -1): number {
    const { fees = 'with-payment' } = this.#settings.balanceCounts
    if (fees === 'with-payment') return PAYOUT_FEE * direction
    if (fees === 'apart' || this.#keptFees.has(payout)) return 0
    this.#keptFees.add(payout)
    return PAYOUT_FEE
  }
}
