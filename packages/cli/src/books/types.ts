import type { GatewayClient, Money, MoneyInput, Payin, PaymentKind } from '../../../../src/index.js'

/** A list, a cursor of a database, or whatever else gives one after the other. */
export type Many<T> = Iterable<T> | AsyncIterable<T>

/** A payment as your own system knows it: its id, and the status that it has there. */
export type OwnPayment = (
  | {
      /** Your id of the payin. */
      readonly idPayin: string
      /** Absent. */
      readonly idPayout?: undefined
    }
  | {
      /** Your id of the payout; of a refund, `refundId(idPayin, number)`. */
      readonly idPayout: string
      /** Absent. */
      readonly idPayin?: undefined
    }
) & {
  /** The last status that you know. One that the books don't know yet has the payment looked up again. */
  readonly status?: string | undefined
  /** What was asked for: used where the gateway shows no money of it. */
  readonly money?: MoneyInput | undefined
}

/** An exact amount: a decimal text, with a minus where it was taken from the balance. */
export interface BooksMoney {
  /** Such as `-10.5`. */
  readonly amount: string
  /** Three letters, in capitals. */
  readonly currencyCode: string
}

/** What the books know of one payment: plain JSON, with nothing of the customer. */
export interface BooksEntry {
  /** Whether money comes in or goes out. */
  readonly kind: PaymentKind
  /** Your id of it. */
  readonly id: string
  /** As the gateway showed it last; absent where it shows no such payment, or no status. */
  readonly status?: string
  /** Whether it will not change any more, as far as anybody knows. */
  readonly final: boolean
  /** When it was created by the gateway's word, and else when the books met it: ISO 8601, UTC. */
  readonly since: string
  /** What it is in the balance, without its fee; absent where it is not in it. */
  readonly payment?: BooksMoney
  /** What its fee is in the balance; absent where it is not in it. */
  readonly fee?: BooksMoney
}

/** Where a close begins: what the one before has returned as `next`. Plain JSON, made to be stored. */
export interface BooksOpening {
  /** The version of this form. */
  readonly version: 1
  /** When it was closed: ISO 8601, UTC. */
  readonly closedAt: string
  /** The balances by currency, as decimal texts. */
  readonly balances: Readonly<Record<string, string>>
  /** All that is open, and what was final not long ago. */
  readonly payments: readonly BooksEntry[]
}

/** One currency from the last close to this one. Amounts are decimal texts; what was taken is negative. */
export interface CurrencyBooks {
  /** Three letters. */
  readonly currencyCode: string
  /** The balance at the last close. */
  readonly opening: string
  /** What payins have moved, returns included. */
  readonly payins: string
  /** What payouts have moved, returns included. */
  readonly payouts: string
  /** What fees have moved. */
  readonly fees: string
  /** The balance now. */
  readonly closing: string
  /** What no known payment explains: `0` where the books add up. */
  readonly unexplained: string
}

/** What one payment has moved since the last close. */
export interface BooksMove {
  /** Whether money comes in or goes out. */
  readonly kind: PaymentKind
  /** Your id of it. */
  readonly id: string
  /** Its status now. */
  readonly status?: string
  /** `payment`: its money; `fee`: its fee. */
  readonly of: 'payment' | 'fee'
  /** What was added to the balance, or taken from it. */
  readonly money: BooksMoney
}

/** A payment that was final at the last close and is not what it was. */
export interface BooksChange {
  /** Whether money comes in or goes out. */
  readonly kind: PaymentKind
  /** Your id of it. */
  readonly id: string
  /** Its status at the last close. */
  readonly before?: string
  /** Its status now. */
  readonly now?: string
}

/** A payment that is not final. */
export interface OpenPayment {
  /** Whether money comes in or goes out. */
  readonly kind: PaymentKind
  /** Your id of it. */
  readonly id: string
  /** Its status; absent where the gateway shows no such payment. */
  readonly status?: string
  /** How long it has been open, in milliseconds. */
  readonly ageMs: number
}

/** What a close has found. */
export type ClosedBooks = BooksResult | BooksStillMoving

/** The books are closed: add up or not. */
export interface BooksResult {
  /** The balances stood still while all was looked up. */
  readonly closed: true
  /** Whether no currency has an unexplained difference. */
  readonly addsUp: boolean
  /** Whether there was no opening: balances are taken as they are, and nothing can be unexplained. */
  readonly isFirst: boolean
  /** Each currency, in the order of the codes. */
  readonly currencies: readonly CurrencyBooks[]
  /** What has moved, by payment. */
  readonly moves: readonly BooksMove[]
  /** What changed after it was final, such as a payout that came back. */
  readonly changed: readonly BooksChange[]
  /** What is not final, the oldest first. */
  readonly open: readonly OpenPayment[]
  /** For the next close. */
  readonly next: BooksOpening
}

/** Money moved in every round, so nothing is said: close again in a quieter hour. */
export interface BooksStillMoving {
  /** The balances did not stand still. */
  readonly closed: false
  /** The currencies that moved in the last round. */
  readonly moving: readonly string[]
}

/** How far a close is. */
export interface BooksProgress {
  /** Look-ups that are done. */
  readonly done: number
  /** Look-ups that are known to be needed; more may come while money moves. */
  readonly total: number
  /** How long the rest takes at ten look-ups a second, in milliseconds. */
  readonly remainingMs: number
}

/** What of a client a close needs. */
export interface BooksClient {
  /** Looks payins up. */
  readonly payins: Pick<GatewayClient['payins'], 'retrieve'>
  /** Looks payouts up. */
  readonly payouts: Pick<GatewayClient['payouts'], 'retrieve'>
  /** Reads balances. */
  readonly balances: Pick<GatewayClient['balances'], 'list'>
}

/**
 * What the balances count, and when: the specification shows neither (section 4, gaps). A payment that has succeeded
 * is always in them, and one that is over and has not succeeded never.
 */
export interface BalanceCounts {
  /** Whether a payin is in the balance before it has succeeded. Default false. */
  readonly pendingPayins?: boolean | undefined
  /** Whether a payout is taken from the balance before it has succeeded. Default false. */
  readonly pendingPayouts?: boolean | undefined
  /**
   * Where fees go. `with-payment`, the default: taken with the payment, and given back with it; `kept`: taken with the
   * payment, and not given back; `apart`: not taken from these balances.
   */
  readonly fees?: 'with-payment' | 'kept' | 'apart' | undefined
}

/** How payments and balances are read, where the defaults don't fit your gateway. */
export interface BooksReading {
  /** What the balances count, and when. Default: payments that have succeeded, with their fees. */
  balanceCounts?: BalanceCounts | undefined
  /** The balances in an answer: one amount for each currency, 0 for one that the gateway leaves out. Default: whatever looks like money, if each currency is there once. */
  balancesOf?: ((answer: unknown) => Iterable<Money>) | undefined
  /** What a payin pays in. Default: its `paymentMethodResponse.money`, or else `paymentRequested.money`. */
  paidMoneyOf?: ((payin: Payin) => Money | undefined) | undefined
}

/** Options of `closeBooks`. Durations are in milliseconds. */
export interface CloseBooksOptions extends BooksReading {
  /** Looks up and reads balances, behind what customers wait for and within its rate. */
  client: BooksClient
  /** What the last close returned as `next`. Without it this is the first close, which takes the balances as they are. */
  opening?: BooksOpening | undefined
  /**
   * Your payments that are new since the last close, or have another status; all of them will do, if the first close
   * got all of them too. As a function it is called again in each round, so that payments made meanwhile are known: a
   * list that is older than the balances makes them look unexplained.
   */
  payments: Many<OwnPayment> | (() => Many<OwnPayment> | Promise<Many<OwnPayment>>)
  /** How often everything open is looked up until the balances stand still. Default 10. */
  rounds?: number | undefined
  /** How long a final payment is remembered, and so looked up again when something is unexplained. Default 90 days. */
  rememberMs?: number | undefined
  /** What a close that was cut off had handed to `onLookedUp`: final payments among it are not looked up again. */
  resume?: Many<BooksEntry> | undefined
  /** Called after each look-up, and waited for: append it to a file to resume from. */
  onLookedUp?: ((entry: BooksEntry) => void | Promise<void>) | undefined
  /** Called before the first and after each look-up. */
  onProgress?: ((progress: BooksProgress) => void) | undefined
  /** Ends the close, with its reason. */
  signal?: AbortSignal | undefined
  /** The time in milliseconds since 1970. Default `Date.now`. */
  now?: (() => number) | undefined
}
