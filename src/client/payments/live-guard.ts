import { ConfigurationError, type Outcome } from '../errors.js'
import type { Failure } from '../http/failure.js'
import { routes } from '../routes.js'
import { idFieldOf, type PaymentKind } from '../schemas/payment.js'

const sawRealMoney = 'the gateway has shown a real payment, and the client is for tests (live: false)'
const advice = 'check baseUrl, and set live: true if you mean it'
const isTest =
  "is a test payment (process.isTest), and the client is for live money (live: true); no money moves by it, so deliver nothing for it, and check baseUrl and the merchant's account."
const isReal = `is a real payment (process.isTest is false), and the client is for tests (live: false); its money moves, so ${advice}. This client makes no payout from now on.`

export class LiveGuard {
  readonly live: boolean | undefined
  readonly #withhold: (why: Failure) => void
  #sawReal = false

  constructor(live: boolean | undefined, withhold: (why: Failure) => void) {
    this.live = live
    this.#withhold = withhold
  }

  /** Of a payment that is none of this client's kind of money. @param outcome of a create. */
  refusal(kind: PaymentKind, id: string, outcome?: Outcome): ConfigurationError {
    if (this.live === false) this.#stopPayouts()
    const { create, retrieve } = routes[kind]
    const { name } = outcome === undefined ? retrieve : create
    const why = this.live === false ? isReal : isTest
    return new ConfigurationError(`${name}: this ${kind} ${why}`, {
      option: 'live',
      [idFieldOf[kind]]: id,
      outcome,
    })
  }

  beforePayout(id: string): void {
    if (!this.#sawReal) return
    throw new ConfigurationError(
      `${routes.payout.create.name}: ${sawRealMoney}; nothing was sent, so ${advice}.`,
      { option: 'live', idPayout: id, outcome: 'not-accepted' },
    )
  }

  /** The error goes to one caller, who may be a job that tries again: the process is told as well. */
  #stopPayouts(): void {
    if (this.#sawReal) return
    this.#sawReal = true
    this.#withhold({ kind: 'withheld', why: sawRealMoney, advice, option: 'live' })
    process.emitWarning(
      'The gateway has shown a real payment (process.isTest is false) to a client for tests (live: false). This client sends no payout any more; check baseUrl, and what was paid out before.',
      { type: 'MerchantGatewayRealPayment', code: 'MERCHANT_GATEWAY_REAL_PAYMENT' },
    )
  }
}
