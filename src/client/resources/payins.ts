import { ConfigurationError } from '../errors.js'
import type { CallOptions } from '../input/call-options.js'
import { serialise } from '../input/json.js'
import { checkId } from '../input/payment-id.js'
import type { WaitOptions } from '../input/wait-options.js'
import { meaningOfLookup, meaningOfRead } from '../payments/meaning.js'
import type { PaymentCalls, PaymentTraits } from '../payments/payment-calls.js'
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
export type PayinCalls = PaymentCalls<PayinCreateResponse, Payin, AcceptedPayin | ReplayedPayin>

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

/** Incoming payments: a customer pays the merchant (specification, sections 1 and 4). */
export class Payins {
  readonly #calls: PayinCalls
  readonly #parts: ResourceParts
  readonly #customerAccountPath: string | undefined

  /** @internal */
  constructor(calls: PayinCalls, parts: ResourceParts, customerAccountPath: string | undefined) {
    this.#calls = calls
    this.#parts = parts
    this.#customerAccountPath = customerAccountPath
  }

  /**
   * What the customer can pay this much with. POST /payins/!availablePaymentOptions (specification, section 4)
   *
   * @param money in the currency's main unit: 10.50 EUR, and not 1050 cents.
   * @param options limits of this call in milliseconds, and a signal that ends it.
   * @throws {InvalidInputError} for an amount or a currency code that is certainly wrong.
   * @throws {GatewayError} when no usable answer came.
   * @example
   * const { data } = await client.payins.paymentOptions(money('10.50', 'EUR'))
   * data[0]?.paymentOperators[0]?.code
   */
  async paymentOptions(money: MoneyInput, options?: CallOptions): Promise<PaymentOptions> {
    const { http, tokens, scopes } = this.#parts
    return http.request(
      {
        name: 'payins.paymentOptions',
        method: 'POST',
        path: '/payins/!availablePaymentOptions',
        route: 'POST /payins/!availablePaymentOptions',
        lane: 'read',
        token: tokens.for(scopes.paymentOptions()),
        body: serialise({ money: requestMoney(money, 'money') }),
        shape: paymentOptionsShape,
        meaning: meaningOfLookup,
      },
      options,
    )
  }

  /**
   * Creates a payin, exactly once for each `idPayin`. Call again with the same id after a crash or
   * an error: the payin is created if it was not, and returned as it is (`replayed: true`) if it was.
   * POST /payins/{idPayin} (specification, section 4)
   *
   * @param request whose `idPayin` is made when it is left out. Amounts are in the currency's main unit.
   * @param options limits of this call in milliseconds, and a signal that ends it.
   * @throws {InvalidInputError} for a field that is certainly wrong, or that this version doesn't know.
   * @throws {IdempotencyConflictError} when the id belongs to a payin that asks for something else, or the
   * gateway shows that it accepted this one with other money.
   * @throws {GatewayError} with `outcome`, which says whether the payin exists: `hasOutcome(error)` narrows to it.
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
    return this.#calls.create(request, options)
  }

  /**
   * The payin as it is now. GET /payins/{idPayin} (specification, section 4)
   *
   * @param idPayin the id that it was created under.
   * @param options limits of this call in milliseconds, and a signal that ends it.
   * @throws {NotFoundError} when the gateway shows no such payin, which may be so for a moment after its creation.
   * @throws {GatewayError} when no usable answer came.
   * @example
   * const payin = await client.payins.retrieve(idPayin)
   * statusOf(payin)
   */
  retrieve(idPayin: string, options?: CallOptions): Promise<Payin> {
    return this.#calls.retrieve(idPayin, options)
  }

  /**
   * Waits until the payin is final, for at most `maxWaitMs` milliseconds. GET /payins/{idPayin}, again and again: a
   * second after the first look, then less and less often, behind all other calls; and at once when a callback
   * has come.
   *
   * Final is what the client's `isFinal` says of the payin as it was then. It may still change: be reversed, returned,
   * or opened again. A wait has ended by that time; `onPayin` of a `CallbackReceiver` is told, with `before.final` true.
   *
   * @param idPayin the id that it was created under.
   * @param options the longest wait in milliseconds, and a signal that ends it.
   * @throws {WaitTimeoutError} when it was not final in time; `error.lastPayment` is how it was seen last.
   * @throws {GatewayError} when a look failed in a way that does not pass by itself.
   * @example
   * const payin = await client.payins.waitFor(idPayin, { maxWaitMs: 600_000 })
   */
  waitFor(idPayin: string, options: WaitOptions): Promise<Payin> {
    return this.#calls.waitFor(idPayin, options)
  }

  /**
   * The payin at first sight, whenever its status has changed, and as it is when it is final, which ends the loop,
   * as `maxWaitMs` milliseconds do. GET /payins/{idPayin}, as often as {@link Payins.waitFor} looks.
   *
   * @param idPayin the id that it was created under.
   * @param options the longest wait in milliseconds, and a signal that ends it.
   * @throws {WaitTimeoutError} when it was not final in time; `error.lastPayment` is how it was seen last.
   * @throws {GatewayError} when a look failed in a way that does not pass by itself.
   * @example
   * for await (const payin of client.payins.watch(idPayin, { maxWaitMs: 600_000 })) {
   *   console.log(statusOf(payin))
   * }
   */
  watch(idPayin: string, options: WaitOptions): AsyncIterableIterator<Payin> {
    return this.#calls.watch(idPayin, options)
  }

  /**
   * Tells the client that a callback for this payin has come: waits for it look at once. A
   * `CallbackReceiver` does this by itself.
   *
   * @example
   * client.payins.notify(idPayin)
   */
  notify(idPayin: string): void {
    this.#calls.notify(idPayin)
  }

  /**
   * The account that the customer paid from. The specification leaves the path open (section 4,
   * gaps), so it comes from the option `customerAccountPath`. GET {customerAccountPath}
   *
   * @param idPayin the id that the payin was created under.
   * @param options limits of this call in milliseconds, and a signal that ends it.
   * @throws {ConfigurationError} without that option.
   * @throws {GatewayError} when no usable answer came.
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
        name: 'payins.customerAccount',
        method: 'GET',
        path: template.replaceAll('{idPayin}', () => encodeURIComponent(idPayin)),
        route: `GET ${template}`,
        lane: 'read',
        token: tokens.for(scopes.customerAccount(template, idPayin)),
        shape: customerAccountShape,
        meaning: () => meaningOfRead('payin', idPayin),
      },
      options,
    )
  }
}
