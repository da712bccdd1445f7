import { fieldAt, jsonOf } from '../common/json.js'
import type { SandboxCallback } from '../gateway/callbacks/attempt.js'
import type { SandboxRequest } from '../gateway/engine/logged-request.js'
import type { MatchedRequest } from '../gateway/faults/fault.js'
import type { SandboxPayment } from '../gateway/payments/payment.js'
import type { Asked, AskedPayment, CountedPayment } from './evidence.js'
import { keyOf, type Orders, type PaymentName, paymentOf } from './orders.js'

/** What reaches the gateway from now on for one order; what went before the action is not in it. */
export class Activity {
  readonly order: number
  readonly startedAt: number
  readonly #orders: Orders
  readonly #earlier: ReadonlySet<string>
  readonly #skipped: number

  constructor(orders: Orders, order: number) {
    this.#orders = orders
    this.order = order
    this.#skipped = orders.requestsOf(order).length
    this.#earlier = new Set(orders.paymentsOf(order).map(keyOf))
    this.startedAt = orders.gateway.clock.now()
  }

  get requests(): readonly SandboxRequest[] {
    return this.#orders.requestsOf(this.order).slice(this.#skipped)
  }

  get payments(): readonly SandboxPayment[] {
    return this.#orders.paymentsOf(this.order).filter((payment) => !this.#earlier.has(keyOf(payment)))
  }

  get callbacks(): readonly SandboxCallback[] {
    return this.#orders.gateway.callbacks.filter((callback) => this.isAbout(callback))
  }

  get creates(): readonly SandboxRequest[] {
    return this.requests.filter((request) => {
      const payment = paymentOf(request)
      return request.method === 'POST' && payment !== undefined && !this.#earlier.has(keyOf(payment))
    })
  }

  /** Whether a create arrived without a fault after the newest one that met one. */
  get isSentAgain(): boolean {
    const { creates } = this
    const broken = creates.findLastIndex(({ fault }) => fault !== undefined)
    return broken < creates.length - 1
  }

  owns({ method, path, bodyText }: MatchedRequest): boolean {
    return this.requests.some((one) => {
      return one.path === path && one.method === method && one.bodyText === bodyText
    })
  }

  isAbout(payment: PaymentName): boolean {
    return this.payments.some((mine) => keyOf(mine) === keyOf(payment))
  }

  counted(): CountedPayment[] {
    const asked = this.asked()
    return this.payments.map(({ kind, id, money, status }) => {
      const { account } = asked.find((one) => one.kind === kind && one.id === id) ?? {}
      return { kind, id, money, status, account }
    })
  }

  /** What the creates asked for, in the order of their arrival. */
  asked(): AskedPayment[] {
    return this.creates.flatMap((create) => {
      const payment = paymentOf(create)
      const asked = askedIn(create.bodyText)
      return payment && asked ? [{ ...payment, isConflict: create.status === 409, ...asked }] : []
    })
  }
}

export function isOpen({ status }: SandboxPayment): boolean {
  return status === 'CREATED' || status === 'PENDING'
}

/** The money and the account of a create (section 2); undefined when they aren't there. */
function askedIn(body: string): Asked | undefined {
  const json = jsonOf(body)
  const amount = fieldAt(json, 'paymentRequested.money.amount')
  const currencyCode = fieldAt(json, 'paymentRequested.money.currencyCode')
  if (typeof amount !== 'number' || typeof currencyCode !== 'string') return undefined
  const account = fieldAt(json, 'paymentMethod.account.accountNumber')
  return { money: { amount, currencyCode }, account: typeof account === 'string' ? account : undefined }
}
