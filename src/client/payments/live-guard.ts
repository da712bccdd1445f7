import { ConfigurationError, type Outcome } from '../errors.js'
import { idFieldOf, type PaymentKind, paymentMethods } from '../schemas/payment-kind.js'
import { isReal, isTest, type PaymentLike } from './final.js'

/** Keeps test payments from a client for live money, and real ones from a client for tests: the option `live`. */
export class LiveGuard {
  readonly #live: boolean | undefined
  /** What a client for tests was shown, and must not pay out at. */
  #sawReal = false

  constructor(live: boolean | undefined) {
    this.#live = live
  }

  /** @throws {ConfigurationError} for a payment that is none of this client's kind of money. */
  check(kind: PaymentKind, id: string, payment: PaymentLike, outcome?: Outcome): void {
    const details = { option: 'live', [idFieldOf[kind]]: id, ...(outcome === undefined ? {} : { outcome }) }
    if (this.#live === true && isTest(payment)) {
      throw new ConfigurationError(
        `${paymentMethods[kind].retrieve}: this ${kind} is a test payment (process.isTest), and the client is for live money (live: true); no money moves by it, so deliver nothing for it, and check baseUrl and the merchant's account.`,
        details,
      )
    }
    if (this.#live === false && isReal(payment)) {
      this.#sawReal = true
      throw new ConfigurationError(
        `${paymentMethods[kind].retrieve}: this ${kind} is a real payment (process.isTest is false), and the client is for tests (live: false); its money moves, so check baseUrl, and set live: true if you mean it. This client makes no payout from now on.`,
        details,
      )
    }
  }

  /** @throws {ConfigurationError} before a payout of a client for tests, once the gateway has shown real money. */
  beforeCreate(kind: PaymentKind, id: string): void {
    if (kind === 'payin' || !this.#sawReal) return
    throw new ConfigurationError(
      `${paymentMethods[kind].create}: the gateway has shown a real payment, and the client is for tests (live: false); nothing was sent, so check baseUrl, and set live: true if you mean it.`,
      { option: 'live', [idFieldOf[kind]]: id, outcome: 'not-accepted' },
    )
  }
}
