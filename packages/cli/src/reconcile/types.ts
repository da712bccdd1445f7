import type { GatewayClient, Money, MoneyInput, Payin, PaymentKind } from 'merchant-gateway'

/** A list, a cursor of a database, or whatever else gives one after the other. */
export type Many<T> = Iterable<T> | AsyncIterable<T>

/** A payment as your own system knows it: its id (of a refund, `refundId(idPayin, number)`) and the status that it has there. */
export type OwnPayment = (
  | { readonly idPayin: string; readonly idPayout?: undefined }
  | { readonly idPayout: string; readonly idPayin?: undefined }
) & {
  /** The last status that you know. A status that was not seen at the last run has the payment looked up again. */
  readonly status?: string | undefined
  /** What was asked for: used where the gateway shows no money of it. */
  readonly money?: MoneyInput | undefined
}

/** An exact amount: a decimal text, with the decimals of its currency, and a minus where it was taken from the balance. */
export interface SignedMoney {
  /** Such as `-10.50`. */
  readonly amount: string
  /** Three letters, in capitals. */
  readonly currencyCode: string
}

/** One payment of yours. */
export interface PaymentRef {
  /** Whether money comes in or goes out. */
  readonly kind: PaymentKind
  /** Your id of it. */
  readonly id: string
}

/** What is remembered of one payment: plain JSON, with nothing of the customer. */
export interface KnownPayment extends PaymentRef {
  /** As the gateway showed it last; absent where it shows no such payment, or no status. */
  readonly status?: string | undefined
  /** Whether it will not change any more, as far as anybody knows. */
  readonly final: boolean
  /** When the gateway created it, or else when it was first seen here: ISO 8601, UTC. */
  readonly since: string
  /** What it is in the balance, without its fee; absent where it is not in it. */
  readonly payment?: SignedMoney | undefined
  /** What its fee is in the balance; absent where it is not in it. */
  readonly fee?: SignedMoney | undefined
}

/** Where a run begins: what the one before has returned as `next`. Plain JSON, made to be stored. */
export interface Opening {
  /** The version of this form. */
  readonly version: 1
  /** When the balances were read: ISO 8601, UTC. */
  readonly closedAt: string
  /** The balances by currency, as decimal texts. */
  readonly balances: Readonly<Record<string, string>>
  /** All that is open, and what became final not long ago. */
  readonly payments: readonly KnownPayment[]
}

/** One currency from the last run to this one. Amounts are decimal texts with its decimals; what was taken is negative. */
export interface CurrencyReconciliation {
  /** Three letters. */
  readonly currencyCode: string
  /** The balance at the last run. */
  readonly opening: string
  /** What payins have moved, returns included. */
  readonly payins: string
  /** What payouts have moved, returns included. */
  readonly payouts: string
  /** What fees have moved. */
  readonly fees: string
  /** The balance now. */
  readonly closing: string
  /** What no known payment explains: `0` where the balance adds up. */
  readonly unexplained: string
}

/** What one payment has moved since the last run. */
export interface BalanceMove extends PaymentRef {
  /** Its status now. */
  readonly status?: string | undefined
  /** `payment`: its money; `fee`: its fee. */
  readonly of: 'payment' | 'fee'
  /** What was added to the balance, or taken from it. */
  readonly money: SignedMoney
}

/** A payment that was final at the last run and has another status now. */
export interface StatusChange extends PaymentRef {
  /** Its status at the last run. */
  readonly before?: string | undefined
  /** Its status now. */
  readonly now?: string | undefined
}

/** A payment that is not final. */
export interface OpenPayment extends PaymentRef {
  /** Its status; absent where the gateway shows no such payment. */
  readonly status?: string | undefined
  /** How long it has been open, in milliseconds. */
  readonly ageMs: number
}

/** What a run has found. */
export type Reconciliation = BalancesReconciled | BalancesMoving

/** The balances were compared with the payments, whether they add up or not. */
export interface BalancesReconciled {
  /** The balances stood still while all was looked up. */
  readonly complete: true
  /** Whether no currency has an unexplained difference. */
  readonly addsUp: boolean
  /** Whether there was no opening: balances are taken as they are, and nothing can be unexplained. */
  readonly isFirst: boolean
  /** Each currency, in the order of the codes. */
  readonly currencies: readonly CurrencyReconciliation[]
  /** What has moved, by payment. */
  readonly moves: readonly BalanceMove[]
  /** What changed after it was final, such as a payout that came back. */
  readonly changed: readonly StatusChange[]
  /** What is not final, the oldest first. */
  readonly open: readonly OpenPayment[]
  /** For the next run. */
  readonly next: Opening
}

/** Money moved in every round, so nothing is said: run it again in a quieter hour. */
export interface BalancesMoving {
  /** The balances did not stand still. */
  readonly complete: false
  /** The currencies that moved in the last round. */
  readonly moving: readonly string[]
}

/** How far a run is. */
export interface ReconcileProgress {
  /** Status requests that are done. */
  readonly done: number
  /** Status requests that are known to be needed; more may come while money moves. */
  readonly total: number
  /** How long the rest takes at ten a second, in milliseconds. */
  readonly remainingMs: number
}

/** What of a client a run needs. */
export interface ReconcileClient {
  /** Looks payins up. */
  readonly payins: Pick<GatewayClient['payins'], 'retrieve'>
  /** Looks payouts up. */
  readonly payouts: Pick<GatewayClient['payouts'], 'retrieve'>
  /** Reads balances. */
  readonly balances: Pick<GatewayClient['balances'], 'list'>
}

/** What the balances count, and when. Default: payments that have succeeded, with their fees. */
export interface BalanceCounts {
  /** Whether a payin is in the balance before it is paid. Default false. */
  pendingPayins?: boolean | undefined
  /** Whether a payout is taken when it is created. Default false. */
  pendingPayouts?: boolean | undefined
  /** `with-payment` (default): taken and given back with it; `kept`: not given back; `apart`: not in these balances. */
  fees?: 'with-payment' | 'kept' | 'apart' | undefined
}

/** Options of `reconcileBalances`. Durations are in milliseconds. */
export interface ReconcileOptions {
  /** Looks up and reads balances, behind what customers wait for and within its rate. */
  client: ReconcileClient
  /** What the last run returned as `next`. Without it this is the first, which takes the balances as they are. */
  opening?: Opening | undefined
  /**
   * Your payments that are new since the last run, or have another status; all of them will do, if the first run got
   * all of them too. A function is called again in each round, so that payments made meanwhile are known: a list that
   * is older than the balances makes them look unexplained.
   */
  payments: Many<OwnPayment> | (() => Many<OwnPayment> | Promise<Many<OwnPayment>>)
  /** What the balances of your gateway count. */
  balanceCounts?: BalanceCounts | undefined
  /** The balances in a response: one amount for each currency, 0 for one that the gateway leaves out. Default: whatever looks like money, if each currency is there once. */
  balancesOf?: ((response: unknown) => Iterable<Money>) | undefined
  /** What a payin pays in. Default: its `paymentMethodResponse.money`, or else `paymentRequested.money`. */
  paidMoneyOf?: ((payin: Payin) => Money | undefined) | undefined
  /** How long a final payment is remembered, and so looked up again when something is unexplained. Default 90 days. */
  rememberMs?: number | undefined
  /** What a run that was cut off had handed to `onLookedUp`: final payments among it are not looked up again. */
  resume?: Many<KnownPayment> | undefined
  /** Called after each status request, and waited for: append it to a file to resume from. */
  onLookedUp?: ((payment: KnownPayment) => void | Promise<void>) | undefined
  /** Called before the first and after each status request. */
  onProgress?: ((progress: ReconcileProgress) => void) | undefined
  /** Ends the run, with its reason. */
  signal?: AbortSignal | undefined
  /** The time in milliseconds since 1970. Default `Date.now`. */
  now?: (() => number) | undefined
}
