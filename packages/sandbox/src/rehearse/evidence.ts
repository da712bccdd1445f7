import type { PaymentKind } from '../gateway/payments/payment.js'
import type { SandboxMoney } from '../gateway/wire/money.js'
import type { OrderStatus } from './application.js'
import type { Counts } from './orders.js'

export interface Seen {
  readonly end: 'done' | 'failed' | 'too slow'
  readonly says: string
}

export interface ActionRecord extends Seen {
  /** Milliseconds since 1970, by the gateway's clock. */
  readonly at: number
  readonly tookMs: number
}

/** What a payment is for. The account is compared and never shown. */
export interface Asked {
  readonly money: SandboxMoney
  readonly account: string | undefined
}

export interface Prepared extends Seen {
  /** What was paid by it; undefined where that is not one payin. */
  readonly paid?: Asked | undefined
}

export interface AskedPayment extends Asked {
  readonly kind: PaymentKind
  readonly id: string
  readonly isConflict?: boolean
}

export interface CountedPayment extends AskedPayment {
  readonly status: string
}

export interface Evidence {
  /** The result of what goes before the action, where that failed and nothing was played. */
  readonly notBegun?: string
  readonly actions: readonly ActionRecord[]
  readonly payments: readonly CountedPayment[]
  /** What the order's creates asked for, in the order of their arrival; refused ones too. */
  readonly asked: readonly AskedPayment[]
  readonly missing: Counts
  /** Whether a create of the order had the id of an earlier order's payment. */
  readonly borrows?: boolean
  /** Why what the case forces was not seen to happen; undefined when it was. */
  readonly unmet: string | undefined
  /** Why it can't happen to this application; undefined when it can. */
  readonly skipped?: string | undefined
  /** Whether nobody has said how long the application may take, so that it may still do what it has not done. */
  readonly mayTakeLonger?: boolean
  /** Whether the application said paid while the gateway did not. */
  readonly saidTooEarly: boolean
  readonly said: OrderStatus | undefined
  /** How often the order was delivered before it was paid, and in the end; absent where nobody can say. */
  readonly delivered?: { readonly early: number; readonly last: number }
  /** What the gateway has shown in place of the order's money. */
  readonly shows?: string
  /** What was paid before the action, and by whom; without an account where the action names one. */
  readonly before?: Asked
}

/** What an order is when nothing goes wrong. */
export interface Reference {
  readonly kind: PaymentKind
  /** Payments of the other kind that belong to an order: 0 mostly. */
  readonly others: number
  /** What every order costs; undefined when orders have prices of their own. Without an account, orders have their own. */
  readonly asked: Asked | undefined
  /** Whether a create names a callbackUrl: nobody is called back without one. */
  readonly isCalledBack?: boolean
  /** What an order costs by what the user says: two orders without a fault are held against it. */
  readonly price?: SandboxMoney
}
