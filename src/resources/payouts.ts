import type { CallOptions } from '../http/call.js'
import type { PaymentCalls, PaymentTraits } from '../payments/payment-calls.js'
import type { WaitOptions } from '../payments/watch.js'
import {
  type Payout,
  type PayoutCreateInput,
  type PayoutCreateResponse,
  payoutCreateShape,
  payoutShape,
} from '../schemas/payouts.js'

/** A payout that the gateway accepted now. */
export type AcceptedPayout = PayoutCreateResponse & {
  readonly idPayout: string
  readonly replayed: false
}

/** A payout that the gateway had accepted before, as it is now. */
export type ReplayedPayout = Payout & {
  readonly idPayout: string
  readonly replayed: true
  /**
   * Fields of the request that the found payout doesn't show, so that nobody compared them. The
   * gateway never shows the account of a payout (specification, section 2).
   */
  readonly notCompared: readonly string[]
}

/** @internal */
export type PayoutCalls = PaymentCalls<PayoutCreateResponse, Payout, AcceptedPayout | ReplayedPayout>

// The parsed body belongs to this call alone; a copy would cost as much as parsing it did.
/** @internal */
export const payoutTraits: PaymentTraits<PayoutCreateResponse, Payout, AcceptedPayout | ReplayedPayout> = {
  kind: 'payout',
  createdShape: payoutCreateShape,
  foundShape: payoutShape,
  accepted: (payout, idPayout) => Object.assign(payout, { idPayout, replayed: false as const }),
  replayed: (payout, idPayout, notCompared) =>
    Object.assign(payout, { idPayout, replayed: true as const, notCompared }),
}

/** Outgoing payments: the merchant sends money to a bank account (specification, sections 1 and 4). */
export class Payouts {
  readonly #calls: PayoutCalls

  /** @internal */
  constructor(calls: PayoutCalls) {
    this.#calls = calls
  }

  /**
   * Sends money, exactly once for each `idPayout`. Store the id before you call, and use the same id
   * when you try again: the payout is created if it was not, and returned as it is
   * (`replayed: true`) if it was. POST /payouts/{idPayout} (specification, section 4)
   *
   * @throws {IdempotencyConflictError} when the id belongs to a payout that asks for something else.
   * @throws {GatewayError} with `outcome`, which says whether the payout exists.
   * @example
   * const payout = await client.payouts.create({
   *   idPayout: withdrawal.id,
   *   paymentRequested: { money: money('25.00', 'EUR') },
   *   paymentMethod: {
   *     paymentMethodCode: 'BANK_TRANSFER',
   *     paymentOperatorCode: 'BANK_A',
   *     account: { accountName: withdrawal.name, accountNumber: withdrawal.account },
   *   },
   * })
   */
  create(request: PayoutCreateInput, options?: CallOptions): Promise<AcceptedPayout | ReplayedPayout> {
    return this.#calls.create(request, options)
  }

  /** The payout as it is now. GET /payouts/{idPayout} */
  retrieve(idPayout: string, options?: CallOptions): Promise<Payout> {
    return this.#calls.retrieve(idPayout, options)
  }

  /**
   * Waits until the payout is final. Looks in the lowest lane of the budget, after a second first and
   * then less and less often, and at once when {@link notify} is called.
   *
   * @throws {WaitTimeoutError} after `maxWaitMs` milliseconds; the error has `lastPayment`.
   */
  waitFor(idPayout: string, options: WaitOptions): Promise<Payout> {
    return this.#calls.waitFor(idPayout, options)
  }

  /**
   * The payout at first sight and whenever its status has changed, until it is final.
   *
   * @throws {WaitTimeoutError} after `maxWaitMs` milliseconds.
   */
  watch(idPayout: string, options: WaitOptions): AsyncIterableIterator<Payout> {
    return this.#calls.watch(idPayout, options)
  }

  /** Tells the client that a callback for this payout has come: waits for it look at once. */
  notify(idPayout: string): void {
    this.#calls.wake(idPayout)
  }
}
