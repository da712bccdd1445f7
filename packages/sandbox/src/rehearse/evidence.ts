import type { CartStatus } from './application.js'
import type { Counts } from './carts.js'
import type { Kind, Money } from './gateway.js'

/** How an act ended for the person who did it. */
export interface Seen {
  readonly end: 'done' | 'failed' | 'too slow'
  /** Such as `answered 502`. */
  readonly says: string
}

/** The same, and when. */
export interface ActRecord extends Seen {
  /** Milliseconds since 1970, by the gateway's clock. */
  readonly at: number
  readonly tookMs: number
}

/** What a payment is for. The account is compared and never shown. */
export interface Order {
  readonly money: Money
  readonly account: string | undefined
}

/** How what goes before an act went. */
export interface Prepared extends Seen {
  /** What was paid by it; undefined where that is not one payin. */
  readonly paid?: Order | undefined
}

/** What a create asked for. */
export interface AskedOrder extends Order {
  readonly kind: Kind
  readonly id: string
  /** Whether it was answered 409. */
  readonly isConflict?: boolean
}

/** A payment that came during a cart's acts. */
export interface CountedPayment extends AskedOrder {
  readonly status: string
}

/** What was found when a case had been played. */
export interface Evidence {
  /** What came of what goes before the act, where that failed and nothing was played. */
  readonly notBegun?: string
  readonly acts: readonly ActRecord[]
  readonly payments: readonly CountedPayment[]
  /** What the cart's creates asked for, in the order in which they came; refused ones too. */
  readonly orders: readonly AskedOrder[]
  /** How many payments may have come for earlier carts. */
  readonly missing: Counts
  /** Why what the case forces was not seen to happen; undefined when it was. */
  readonly unmet: string | undefined
  /** Whether nobody has said how long the application may take, so that it may still do what it has not done. */
  readonly mayTakeLonger?: boolean
  /** Whether the application said paid while the gateway did not. */
  readonly saidTooEarly: boolean
  /** What the application says in the end; undefined when it can't be asked. */
  readonly said: CartStatus | undefined
  /** How often the cart was delivered before it was paid, and in the end; absent where nobody can say. */
  readonly delivered?: { readonly early: number; readonly last: number }
  /** Whether the gateway has shown less money than was asked for. */
  readonly isShort?: true
  /** What was paid before the act, and by whom; without an account where the act names one. */
  readonly before?: Order
}

/** What a cart is when nothing goes wrong. */
export interface Reference {
  readonly kind: Kind
  /** Payments of the other kind that belong to a cart: 0 mostly. */
  readonly others: number
  /** What every cart costs; undefined when carts have prices of their own. Without an account, carts have their own. */
  readonly order: Order | undefined
  /** How long an act and what it sends take when nothing goes wrong, in ms. */
  readonly actMs?: number
  /** Whether a create names a callbackUrl: nobody is called back without one. */
  readonly isCalledBack?: boolean
  /** What a cart costs by what the user says: two carts without a fault are held against it. */
  readonly price?: Money
}
