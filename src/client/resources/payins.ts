import { ConfigurationError } from '../errors.js'
import { type CallOptions, checkCallOptions, type WaitOptions } from '../input/call-options.js'
import { argument, check, wrongInput } from '../input/check.js'
import { checkId } from '../input/payment-id.js'
import { serialise } from '../input/values.js'
import { createPayment } from '../payments/create.js'
import { retrievePayment } from '../payments/lookup.js'
import type { Payments, PaymentTraits } from '../payments/payments.js'
import { waitForPayment, watchPayment } from '../payments/watch.js'
import { routes } from '../routes.js'
import { type MoneyInput, requestMoney } from '../schemas/money.js'
import {
  type CustomerAccountData,
  customerAccountShape,
  type Payin,
  type PayinCreateInput,
  type PayinCreateResponse,
  type PaymentOptions,
  payinCreateShape,
  payinShape,
  paymentOptionsShape,
} from '../schemas/payins.js'
import type { ResourceParts } from './account.js'
import type { PayoutPayments } from './payouts.js'
import {
  listRefunds,
  makeRefund,
  type Refund,
  type RefundInput,
  type RefundList,
  type RefundOptions,
  type RefundParts,
} from './refunds.js'

/** A payin that the gateway accepted now. */
export type AcceptedPayin = PayinCreateResponse & {
  /** Your id of the payin, or the one that was made. */
  readonly idPayin: string
  /** The gateway accepted it now. */
  readonly replayed: false
}

/** A payin that the gateway had accepted before, as it is now. */
export type ReplayedPayin = Payin & {
  /** Your id of the payin, or the one that was made. */
  readonly idPayin: string
  /** The gateway had accepted it before. */
  readonly replayed: true
  /** Fields of the request that the found payin doesn't show, so that nobody compared them. */
  readonly notCompared: readonly string[]
}

/** @internal */
export type PayinPayments = Payments<PayinCreateResponse, Payin, AcceptedPayin | ReplayedPayin>

// The parsed body belongs to this call alone; a copy would cost as much as parsing it did.
/** @internal */
export const payinTraits: PaymentTraits<PayinCreateResponse, Payin, AcceptedPayin | ReplayedPayin> = {
  kind: 'payin',
  createdShape: payinCreateShape,
  foundShape: payinShape,
  accepted: (payin, idPayin) => Object.assign(payin, { idPayin, replayed: false as const }),
  replayed: (payin, idPayin, notCompared) =>
    Object.assign(payin, { idPayin, replayed: true as const, notCompared }),
  unseen: () => ({}),
}

const ofPaymentOptions = argument('a field of this request', { money: requestMoney })

/** Incoming payments: a customer pays the merchant (specification, sections 1 and 4). */
export class Payins {
  readonly #payments: PayinPayments
  readonly #parts: ResourceParts
  readonly #refunds: RefundParts
  readonly #customerAccountPath: string | undefined

  /** @internal */
  constructor(
    payments: PayinPayments,
    parts: ResourceParts,
    payouts: PayoutPayments,
    customerAccountPath: string | undefined,
  ) {
    this.#payments = payments
    this.#parts = parts
    this.#refunds = { payins: payments, payouts }
    this.#customerAccountPath = customerAccountPath
  }

  /**
   * What the customer can pay this much with. POST /payins/!availablePaymentOptions (specification, section 4)
   *
   * @param money in the currency's main unit: 10.50 EUR, and not 1050 cents.
   * @param options limits of this call in milliseconds, and a signal that ends it.
   * @throws for an amount or a currency code that is certainly wrong ({@link InvalidInputError}).
   * @throws when no usable response came ({@link GatewayError}).
   * @example
   * const { data } = await client.payins.paymentOptions(money('10.50', 'EUR'))
   * data[0]?.paymentOperators[0]?.code
   */
  async paymentOptions(money: MoneyInput, options?: CallOptions): Promise<PaymentOptions> {
    const { http, tokens, scopes } = this.#parts
    return http.request(
      {
        route: routes.payin.options,
        path: routes.payin.options.template,
        token: { tokens, scope: scopes.paymentOptions() },
        body: serialise(check(ofPaymentOptions, { money }, wrongInput)),
        shape: paymentOptionsShape,
        about: { kind: 'account' },
      },
      checkCallOptions(options),
    )
  }

  /**
   * Creates a payin, exactly once for each `idPayin`. Call again with the same id after a crash or
   * an error: the payin is created if it was not, and returned as it is (`replayed: true`) if it was.
   * POST /payins/{idPayin} (specification, section 4)
   *
   * @param request whose `idPayin` is made when it is left out. Amounts are in the currency's main unit.
   * @param options limits of this call in milliseconds, and a signal that ends it.
   * @throws for a field that is certainly wrong, or that this version doesn't know ({@link InvalidInputError}).
   * @throws when the id belongs to a payin that asks for something else, or the
   * gateway shows that it accepted this one with other money ({@link IdempotencyConflictError}).
   * @throws with `outcome`, which says whether the payin exists: `hasOutcome(error)` narrows to it ({@link GatewayError}).
   * @example
   * const payin = await client.payins.create({
   *   idPayin: order.id,
   *   paymentRequested: { money: money('10.50', 'EUR') },
   *   paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'BANK_A' },
   *   callbackUrl: 'https://shop.example/callbacks',
   * })
   * payin.paymentMethodResponse?.reference
   */
  create(request: PayinCreateInput, options?: CallOptions): Promise<AcceptedPayin | ReplayedPayin> {
    return createPayment(this.#payments, request, options)
  }

  /**
   * The payin as it is now. GET /payins/{idPayin} (specification, section 4)
   *
   * @param idPayin the id that it was created under.
   * @param options limits of this call in milliseconds, and a signal that ends it.
   * @throws when the gateway shows no such payin, which may be so for a moment after its creation ({@link NotFoundError}).
   * @throws when no usable response came ({@link GatewayError}).
   * @example
   * const payin = await client.payins.retrieve(idPayin)
   * statusOf(payin)
   */
  retrieve(idPayin: string, options?: CallOptions): Promise<Payin> {
    return retrievePayment(this.#payments, idPayin, options)
  }

  /**
   * Waits until the payin is final, for at most `maxWaitMs` milliseconds. GET /payins/{idPayin}, again and again: a
   * second after the first status request, then less and less often, behind all other calls; at once when a callback
   * has come; and once more a second before the wait ends.
   *
   * Final is what `isFinal` says of the payin as it was then, by the client's `statuses`. It may still change: be reversed, returned,
   * or opened again. A wait has ended by that time; `onPayin` of a `CallbackReceiver` is called, with `before.final` true.
   *
   * @param idPayin the id that it was created under.
   * @param options the longest wait in milliseconds, and a signal that ends it.
   * @throws when it was not final in time; `error.lastPayment` is how it was seen last ({@link WaitTimeoutError}).
   * @throws when a status request failed in a way that does not pass by itself ({@link GatewayError}).
   * @example
   * const payin = await client.payins.waitFor(idPayin, { maxWaitMs: 600_000 })
   */
  waitFor(idPayin: string, options: WaitOptions): Promise<Payin> {
    return waitForPayment(this.#payments, idPayin, options)
  }

  /**
   * The payin at first sight, whenever its status has changed, and as it is when it is final, which ends the loop,
   * as `maxWaitMs` milliseconds do. GET /payins/{idPayin}, as often as {@link Payins.waitFor} does.
   *
   * @param idPayin the id that it was created under.
   * @param options the longest wait in milliseconds, and a signal that ends it.
   * @throws when it was not final in time; `error.lastPayment` is how it was seen last ({@link WaitTimeoutError}).
   * @throws when a status request failed in a way that does not pass by itself ({@link GatewayError}).
   * @example
   * for await (const payin of client.payins.watch(idPayin, { maxWaitMs: 600_000 })) {
   *   console.log(statusOf(payin))
   * }
   */
  watch(idPayin: string, options: WaitOptions): AsyncIterableIterator<Payin> {
    return watchPayment(this.#payments, idPayin, options)
  }

  /**
   * Tells the client that a callback for this payin has come: waits for it look at once. A
   * `CallbackReceiver` does this by itself.
   *
   * @example
   * client.payins.notify(idPayin)
   */
  notify(idPayin: string): void {
    this.#payments.listeners.notify(idPayin, undefined)
  }

  /**
   * Gives a payin back, in whole or in part: makes the payout that does it, exactly once for each `number`, and never
   * above what was paid. The payout's id follows from the payin's id and the number ({@link refundId}), so the gateway's
   * own 409 is the lock between clerks, processes and retries (specification, section 7). Before it sends, it looks up
   * the payin and the refunds with lower numbers. Store the number with your record of the refund, and call again with
   * the same one after a crash or an error.
   *
   * @param refund amounts are in the currency's main unit. Two calls with one number and different accounts are one
   * refund, to the account of the first: the gateway shows no account of a payout.
   * @param options limits of each request in milliseconds, a signal that ends the call, and how refunds are counted.
   * @throws when the payin is not paid, the sum would exceed what was paid, the currency is another,
   * or a number before it has no refund: `reason` says which. No payout was sent ({@link RefundRefusedError}).
   * @throws when the number belongs to a refund of another amount ({@link IdempotencyConflictError}).
   * @throws with `outcome` from the payout's create; without it from a lookup before, when nothing was sent ({@link GatewayError}).
   * @example
   * const refund = await client.payins.refund({
   *   idPayin: order.id,
   *   number: 1,
   *   money: money('4.50', 'EUR'),
   *   account: { accountName: order.name, accountNumber: order.account },
   *   paymentOperatorCode: 'BANK_A',
   * })
   * refund.idPayout
   */
  refund(refund: RefundInput, options?: RefundOptions): Promise<Refund> {
    return makeRefund(this.#refunds, refund, options)
  }

  /**
   * The refunds of a payin that {@link Payins.refund} made, with their sums: what was paid, given back, and is left. One
   * lookup for the payin, and one for each refund and for the number after the last.
   *
   * @param idPayin the id that the payin was created under.
   * @param options limits of each request in milliseconds, a signal that ends the call, and how refunds are counted.
   * @throws with `reason` `'unreadable'` when an amount can't be read ({@link RefundRefusedError}).
   * @throws when no usable response came ({@link GatewayError}).
   * @example
   * const { refunds, left } = await client.payins.refunds(order.id)
   * const next = refunds.length + 1
   */
  refunds(idPayin: string, options?: RefundOptions): Promise<RefundList> {
    return listRefunds(this.#refunds, idPayin, options)
  }

  /**
   * The account that the customer paid from. The specification leaves the path open (section 4,
   * gaps), so it comes from the option `customerAccountPath`. GET {customerAccountPath}
   *
   * @param idPayin the id that the payin was created under.
   * @param options limits of this call in milliseconds, and a signal that ends it.
   * @throws without that option ({@link ConfigurationError}).
   * @throws when no usable response came ({@link GatewayError}).
   * @example
   * const account = await client.payins.customerAccount(idPayin)
   */
  async customerAccount(idPayin: string, options?: CallOptions): Promise<CustomerAccountData> {
    checkId(idPayin, 'idPayin')
    const template = this.#customerAccountPath
    if (template === undefined) {
      throw new ConfigurationError(
        'customerAccountPath is not set: the specification does not show where customer account data is, so ask the platform for the path and set it, for example "/payins/{idPayin}/customer-account"; nothing was sent.',
        { option: 'customerAccountPath', idPayin },
      )
    }
    const { http, tokens, scopes } = this.#parts
    return http.request(
      {
        route: { name: 'payins.customerAccount', method: 'GET', template },
        path: template.replaceAll('{idPayin}', () => encodeURIComponent(idPayin)),
        token: { tokens, scope: scopes.customerAccount(template, idPayin) },
        shape: customerAccountShape,
        about: { kind: 'read', payment: 'payin', id: idPayin },
      },
      checkCallOptions(options),
    )
  }
}
