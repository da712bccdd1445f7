import type { CallOptions, WaitOptions } from '../input/call-options.js'
import { createPayment } from '../payments/create.js'
import { retrievePayment } from '../payments/lookup.js'
import type { Payments, PaymentTraits } from '../payments/payments.js'
import { waitForPayment, watchPayment } from '../payments/watch.js'
import {
  type Payout,
  type PayoutCreateInput,
  type PayoutCreateResponse,
  payoutCreateShape,
  payoutShape,
} from '../schemas/payouts.js'

/** A payout that the gateway accepted now. */
export type AcceptedPayout = PayoutCreateResponse & {
  /** Your id of the payout, or the one that was made. */
  readonly idPayout: string
  /** The gateway accepted it now. */
  readonly replayed: false
}

/** A payout that the gateway had accepted before, as it is now. */
export type ReplayedPayout = Payout & {
  /** Your id of the payout, or the one that was made. */
  readonly idPayout: string
  /** The gateway had accepted it before. */
  readonly replayed: true
  /**
   * Fields of the request that the found payout doesn't show, so that nobody compared them. The
   * gateway never shows the account of a payout (specification, section 2).
   */
  readonly notCompared: readonly string[]
  /**
   * Whether it was there before this call had sent anything that can have made it: an earlier call did, or another
   * program. False where it may be this call's own, after a response that was lost.
   */
  readonly existedBefore: boolean
}

/** @internal */
export type PayoutPayments = Payments<PayoutCreateResponse, Payout, AcceptedPayout | ReplayedPayout>

// The parsed body belongs to this call alone; a copy would cost as much as parsing it did.
/** @internal */
export const payoutTraits: PaymentTraits<PayoutCreateResponse, Payout, AcceptedPayout | ReplayedPayout> = {
  kind: 'payout',
  createdShape: payoutCreateShape,
  foundShape: payoutShape,
  accepted: (payout, idPayout) => Object.assign(payout, { idPayout, replayed: false as const }),
  replayed: (payout, idPayout, notCompared, existedBefore) =>
    Object.assign(payout, { idPayout, replayed: true as const, notCompared, existedBefore }),
}

/** Outgoing payments: the merchant sends money to a bank account (specification, sections 1 and 4). */
export class Payouts {
  readonly #payments: PayoutPayments

  /** @internal */
  constructor(payments: PayoutPayments) {
    this.#payments = payments
  }

  /**
   * Sends money, exactly once for each `idPayout`. Store the id before you call, and use the same id
   * when you try again: the payout is created if it was not, and returned as it is
   * (`replayed: true`) if it was. POST /payouts/{idPayout} (specification, section 4)
   *
   * @param request whose `idPayout` is made when it is left out. Amounts are in the currency's main unit.
   * @param options limits of this call in milliseconds, and a signal that ends it.
   * @throws for a field that is certainly wrong, or that this version doesn't know ({@link InvalidInputError}).
   * @throws when the id belongs to a payout that asks for something else, or the
   * gateway shows that it accepted this one with other money ({@link IdempotencyConflictError}).
   * @throws with `outcome`, which says whether the payout exists: `hasOutcome(error)` narrows to it ({@link GatewayError}).
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
    return createPayment(this.#payments, request, options)
  }

  /**
   * The payout as it is now. GET /payouts/{idPayout} (specification, section 4)
   *
   * @param idPayout the id that it was created under.
   * @param options limits of this call in milliseconds, and a signal that ends it.
   * @throws when the gateway shows no such payout, which may be so for a moment after its creation ({@link NotFoundError}).
   * @throws when no usable response came ({@link GatewayError}).
   * @example
   * const payout = await client.payouts.retrieve(idPayout)
   * payout.process.status
   */
  retrieve(idPayout: string, options?: CallOptions): Promise<Payout> {
    return retrievePayment(this.#payments, idPayout, options)
  }

  /**
   * Waits until the payout is final, for at most `maxWaitMs` milliseconds. GET /payouts/{idPayout}, again and again: a
   * second after the first status request, then less and less often, behind all other calls; at once when a callback
   * has come; and once more a second before the wait ends.
   *
   * Final is what `isFinal` says of the payout as it was then, by the client's `statuses`. It may still change: be reversed, returned,
   * or opened again. A wait has ended by that time; `onPayout` of a `CallbackReceiver` is called, with `before.final` true.
   *
   * @param idPayout the id that it was created under.
   * @param options the longest wait in milliseconds, and a signal that ends it.
   * @throws when it was not final in time; `error.lastPayment` is how it was seen last ({@link WaitTimeoutError}).
   * @throws when a status request failed in a way that does not pass by itself ({@link GatewayError}).
   * @example
   * const payout = await client.payouts.waitFor(idPayout, { maxWaitMs: 600_000 })
   */
  waitFor(idPayout: string, options: WaitOptions): Promise<Payout> {
    return waitForPayment(this.#payments, idPayout, options)
  }

  /**
   * The payout at first sight, whenever its status has changed, and as it is when it is final, which ends the loop,
   * as `maxWaitMs` milliseconds do. GET /payouts/{idPayout}, as often as {@link Payouts.waitFor} does.
   *
   * @param idPayout the id that it was created under.
   * @param options the longest wait in milliseconds, and a signal that ends it.
   * @throws when it was not final in time; `error.lastPayment` is how it was seen last ({@link WaitTimeoutError}).
   * @throws when a status request failed in a way that does not pass by itself ({@link GatewayError}).
   * @example
   * for await (const payout of client.payouts.watch(idPayout, { maxWaitMs: 600_000 })) {
   *   console.log(payout.process.status)
   * }
   */
  watch(idPayout: string, options: WaitOptions): AsyncIterableIterator<Payout> {
    return watchPayment(this.#payments, idPayout, options)
  }

  /**
   * Tells the client that a callback for this payout has come: waits for it look at once. A
   * `CallbackReceiver` does this by itself.
   *
   * @example
   * client.payouts.notify(idPayout)
   */
  notify(idPayout: string): void {
    this.#payments.listeners.notify(idPayout, undefined)
  }
}
