import { jsonOf } from '../../../../src/client/input/json.js'
import type { SandboxCallback } from '../gateway/callbacks/delivery-log.js'
import type { SandboxRequest } from '../gateway/engine/logged-request.js'
import type { MatchedRequest } from '../gateway/faults/fault.js'
import type { SandboxPayment } from '../gateway/payments/payment.js'
import { type Carts, keyOf, type PaymentName, paymentOf } from './carts.js'
import type { AskedOrder, CountedPayment, Order } from './evidence.js'
import { fieldAt } from './field.js'

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

  get creates(): readonly SandboxRequest[] {
    return this.requests.filter((request) => {
      const payment = paymentOf(request)
      return request.method === 'POST' && payment !== undefined && !this.#earlier.has(keyOf(payment))
    })
  }

  /** Whether a create came without a fault after the newest one that met one. */
  get isSentAgain(): boolean {
    const { creates } = this
    const broken = creates.findLastIndex(({ fault }) => fault !== undefined)
    return broken < creates.length - 1
  }

  /** Whether a request that has just arrived is this cart's. */
  owns({ method, path, bodyText }: MatchedRequest): boolean {
    return this.requests.some((one) => {
      return one.path === path && one.method === method && one.bodyText === bodyText
    })
  }

  /** Whether a payment is this cart's. */
  isAbout(payment: PaymentName): boolean {
    return this.payments.some((mine) => keyOf(mine) === keyOf(payment))
  }

  /** The payments with what their creates asked for. */
  counted(): CountedPayment[] {
    const orders = this.orders()
    return this.payments.map(({ kind, id, money, status }) => {
      const { account } = orders.find((one) => one.kind === kind && one.id === id) ?? {}
      return { kind, id, money, status, account }
    })
  }

  /** What the creates asked for, in the order in which they came. */
  orders(): AskedOrder[] {
    return this.creates.flatMap((create) => {
      const payment = paymentOf(create)
      const order = orderIn(create.bodyText)
      return payment && order ? [{ ...payment, isConflict: create.status === 409, ...order }] : []
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
