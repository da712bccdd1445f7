import { jsonOf } from '../../../src/client/input/json.js'
import type { SandboxCallback } from '../gateway/callbacks/delivery-log.js'
import type { SandboxRequest } from '../gateway/engine/logged-request.js'
import type { MatchedRequest } from '../gateway/faults/fault.js'
import type { SandboxPayment } from '../gateway/payments/payment.js'
import { type Carts, carriesNumber, keyOf, keyOfRequest } from './carts.js'
import type { AskedOrder, CountedPayment, Order } from './evidence.js'
import { fieldAt } from './field.js'
import type { Kind } from './gateway.js'

/** What reaches the gateway from now on for one cart; what went before the act is not in it. */
export class Activity {
  readonly cart: number
  readonly startedAt: number
  readonly #carts: Carts
  readonly #earlier: ReadonlySet<string>
  readonly #skipped: number

  constructor(carts: Carts, cart: number) {
    this.#carts = carts
    this.cart = cart
    this.#skipped = carts.requestsOf(cart).length
    this.#earlier = new Set(carts.paymentsOf(cart).map(keyOf))
    this.startedAt = carts.gateway.clock.now()
  }

  get requests(): readonly SandboxRequest[] {
    return this.#carts.requestsOf(this.cart).slice(this.#skipped)
  }

  get payments(): readonly SandboxPayment[] {
    return this.#carts.paymentsOf(this.cart).filter((payment) => !this.#earlier.has(keyOf(payment)))
  }

  get callbacks(): readonly SandboxCallback[] {
    return this.#carts.gateway.callbacks.filter((callback) => this.isAbout(callback))
  }

  /** Whether somebody was called back about a payment that has succeeded. */
  get isCalledBack(): boolean {
    return this.callbacks.some(({ paymentStatus }) => paymentStatus === 'SUCCESS')
  }

  get creates(): readonly SandboxRequest[] {
    return this.requests.filter((request) => {
      const key = keyOfRequest(request)
      return request.method === 'POST' && key !== undefined && !this.#earlier.has(key)
    })
  }

  /** Whether a create came without a fault after the newest one that met one. */
  get isSentAgain(): boolean {
    const { creates } = this
    const broken = creates.findLastIndex(({ fault }) => fault !== undefined)
    return broken < creates.length - 1
  }

  /** Whether every create carries the number of the cart. */
  get isNamed(): boolean {
    return this.creates.length > 0 && this.creates.every((create) => carriesNumber(create, this.cart))
  }

  /** Where the customer is sent when the payment is over; undefined where no create says so. */
  get returnUrl(): string | undefined {
    const urls = this.creates.map(({ bodyText }) => fieldAt(jsonOf(bodyText), 'returnUrl'))
    return urls.find((url) => typeof url === 'string')
  }

  /** Whether a request that has just arrived is this cart's. */
  owns(request: MatchedRequest): boolean {
    return this.#carts.owns(this.cart, request)
  }

  /** Whether a payment is this cart's. */
  isAbout(payment: { readonly kind: Kind; readonly id: string }): boolean {
    return this.payments.some((mine) => keyOf(mine) === keyOf(payment))
  }

  /** The payments with what their creates asked for. */
  counted(): CountedPayment[] {
    const orders = this.orders()
    return this.payments.map(({ kind, id, money, status }) => {
      const order = orders.find((one) => one.kind === kind && one.id === id)
      return { kind, id, money, status, account: order?.account }
    })
  }

  /** What the creates asked for, in the order in which they came. */
  orders(): AskedOrder[] {
    return this.creates.flatMap(({ idPayin, idPayout, bodyText, status }) => {
      const kind: Kind = idPayin === undefined ? 'payout' : 'payin'
      const id = idPayin ?? idPayout
      const order = orderIn(bodyText)
      return order === undefined || id === undefined
        ? []
        : [{ kind, id, isConflict: status === 409, ...order }]
    })
  }
}

/** Whether it is neither paid nor ended otherwise. */
export function isOpen({ status }: SandboxPayment): boolean {
  return status === 'CREATED' || status === 'PENDING'
}

/** The money and the account of a create (section 2); undefined when they aren't there. */
function orderIn(body: string): Order | undefined {
  const json = jsonOf(body)
  const amount = fieldAt(json, 'paymentRequested.money.amount')
  const currencyCode = fieldAt(json, 'paymentRequested.money.currencyCode')
  if (typeof amount !== 'number' || typeof currencyCode !== 'string') return undefined
  const account = fieldAt(json, 'paymentMethod.account.accountNumber')
  return { money: { amount, currencyCode }, account: typeof account === 'string' ? account : undefined }
}
