import type { CartStatus } from './application.js'
import type { Kind, Money } from './gateway.js'

/** How an act ended for the person who did it. */
export interface ActRecord {
  readonly end: 'done' | 'failed' | 'too slow'
  /** Such as `answered 502`. */
  readonly says: string
  /** Milliseconds since 1970, by the gateway's clock. */
  readonly at: number
  readonly tookMs: number
}

/** What a payment is for. The account is compared and never shown. */
export interface Order {
  readonly money: Money
  readonly account: string | undefined
}

/** A payment that came during a cart's acts. */
export interface CountedPayment extends Order {
  readonly kind: Kind
  readonly id: string
  readonly status: string
}

/** What was found when a case had been played. */
export interface Evidence {
  /** What came of what goes before the act, where that failed and nothing was played. */
  readonly notBegun?: string
  readonly acts: readonly ActRecord[]
  readonly payments: readonly CountedPayment[]
  /** What the cart's creates asked for, in the order in which they came; refused ones too. */
  readonly orders: readonly (Order & { readonly kind: Kind })[]
  /** Whether what was armed has happened to anything. */
  readonly hasMet: boolean
  /** Whether the application said paid while the gateway did not. */
  readonly saidTooEarly: boolean
  /** What the application says in the end; undefined when it can't be asked. */
  readonly said: CartStatus | undefined
}

/** What a cart is when nothing goes wrong. */
export interface Reference {
  readonly kind: Kind
  /** Payments of the other kind that belong to a cart: 0 mostly. */
  readonly others: number
  /** What every cart costs; undefined when carts have prices of their own. Without an account, carts have their own. */
  readonly order: Order | undefined
}
