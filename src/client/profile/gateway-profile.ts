import type { Shape } from './shape.js'

/**
 * What a gateway was seen to do where the specification leaves it open: names, types and statuses, never a value
 * that belongs to somebody. `merchant-gateway learn` writes it as JSON. A part that is absent was not seen, and
 * {@link GatewayProfile.notSeen} says why.
 */
export interface GatewayProfile {
  /** Where the JSON schema of this file is. */
  readonly $schema?: string | undefined
  /** The version of this format. */
  readonly profileVersion: 1
  /** Token requests and what answers them (sections 2 and 5). */
  readonly tokens?: TokenProfile | undefined
  /** How payins show where they stand (sections 2 and 3). */
  readonly payins?: PaymentProfile | undefined
  /** How payouts show where they stand. */
  readonly payouts?: PaymentProfile | undefined
  /** The answer to each endpoint that succeeded, by method and path template, such as `POST /payins/{idPayin}`. */
  readonly answers?: Readonly<Record<string, AnswerProfile>> | undefined
  /** The answer to each thing that can be wrong with a request (section 7). */
  readonly refusals?: Readonly<Partial<Record<RefusalCase, AnswerProfile>>> | undefined
  /** How requests are counted (section 8). */
  readonly rate?: RateProfile | undefined
  /** What callbacks look like (section 6). */
  readonly callbacks?: CallbackProfile | undefined
  /** What the balances count, and when (section 4, gaps). */
  readonly balances?: BalanceProfile | undefined
  /** The path of customer account data, with `{idPayin}` in it (section 4). */
  readonly customerAccountPath?: string | undefined
  /** What could not be seen, and why: `{ "callbacks": "no address was given that the gateway can reach" }`. */
  readonly notSeen?: Readonly<Record<string, string>> | undefined
}

/** Token requests and what answers them. */
export interface TokenProfile {
  /** A field of a JSON answer, the answer as one JSON string, or a text that is no JSON. */
  readonly format?: 'json' | 'json-string' | 'text' | undefined
  /** Where the token stands in a JSON answer, with dots for depth. */
  readonly field?: string | undefined
  /** Names of the token's claims; absent where it is no JWT. */
  readonly claims?: readonly string[] | undefined
  /** Whether the token itself says when it ends. */
  readonly statesItsEnd?: boolean | undefined
  /** The longest `validitySecs` that was taken; none above a day is asked for. */
  readonly longestValiditySecs?: number | undefined
  /** The unit of `timestamp`. */
  readonly timestampUnit?: 'seconds' | 'milliseconds' | undefined
  /** Whether a token request is taken twice, byte for byte. */
  readonly repeatedRequest?: 'taken' | 'refused' | undefined
  /** How an id stands in `operations` when it holds characters that a path percent-encodes. */
  readonly idsInOperations?: 'percent-encoded' | 'decoded' | undefined
  /** Whether a token that is limited to an amount and a currency makes no payout of another amount. */
  readonly moneyLimit?: 'kept' | 'ignored' | undefined
  /** Whether a token for one payout makes no other one. */
  readonly idLimit?: 'kept' | 'ignored' | undefined
}

/** How payments of one kind show where they stand. */
export interface PaymentProfile {
  /** Where the status stands in the answer to a look-up, with dots for depth; `process.status` in the specification. */
  readonly statusField?: string | undefined
  /** Where the time of processing stands; absent where none was seen. */
  readonly processedAtField?: string | undefined
  /** Each status that was seen, and whether a payment stayed in it. */
  readonly statuses?: Readonly<Record<string, 'final' | 'passing' | 'unclear'>> | undefined
}

/** One answer: its status, and what its body is made of. */
export interface AnswerProfile {
  /** HTTP status. */
  readonly status: number
  /** Media type without parameters, such as `application/json`; absent where the answer named none. */
  readonly contentType?: string | undefined
  /** The body; absent where it was empty. */
  readonly body?: Shape | undefined
}

/** What can be wrong with a request, in the order in which `learn` asks. */
export type RefusalCase =
  | 'api-version-missing'
  | 'path-unknown'
  | 'signature-wrong'
  | 'validity-too-long'
  | 'token-missing'
  | 'token-wrong'
  | 'token-not-allowed'
  | 'body-not-json'
  | 'money-missing'
  | 'amount-wrong'
  | 'payin-unknown'
  | 'payout-unknown'
  | 'id-repeated'
  | 'rate-exceeded'

/** How requests are counted. */
export interface RateProfile {
  /** Ten at once are taken, or only one after another; absent where it could not be told. */
  readonly counted?: 'in-windows' | 'evenly-spaced' | undefined
  /** Whether a 429 says when to come back, and how. */
  readonly retryAfter?: 'seconds' | 'date' | 'absent' | undefined
  /** How many of eleven requests at once were taken, of two tries the better one; absent where two were too many. */
  readonly takenAtOnce?: number | undefined
  /**
   * How many of eight requests were taken that came an eighth of a second after each other, of two tries the better
   * one; there where two at once were too many.
   */
  readonly takenInARow?: number | undefined
}

/** What callbacks look like. */
export interface CallbackProfile {
  /** HTTP method. */
  readonly method?: string | undefined
  /** Names of the headers, in lower case and sorted, without those that every request has. */
  readonly headers?: readonly string[] | undefined
  /** Media type without parameters. */
  readonly contentType?: string | undefined
  /** The body; absent where it was empty. */
  readonly body?: Shape | undefined
  /** How often a callback came that was answered with 500 each time; 0 where none came to an ended payment. */
  readonly tries?: number | undefined
  /** From one of these tries to the next, in whole seconds. */
  readonly secondsBetweenTries?: readonly number[] | undefined
}

/**
 * What the balances count, and when: the specification shows neither (section 4, gaps). A payment that has succeeded
 * is always in them, and one that is over and has not succeeded never.
 */
export interface BalanceProfile {
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
