/** The JSON between the sandbox and its page. Types only, because the page is bundled for browsers. */

import type { FaultForm } from './controls.js'

export type Kind = 'payin' | 'payout'

/** A payment in the list. Times are milliseconds since 1970, by the sandbox's clock. */
export interface Row {
  readonly kind: Kind
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly currencyCode: string
  readonly method: string
  readonly createdAt: number
  /** Whether the merchant has heard of the status by a callback. */
  readonly callbacks: CallbackHealth
  /** Whether there is something in it that a gateway may not have accepted. */
  readonly isNoted: boolean
}

export type CallbackHealth = 'none' | 'waiting' | 'delivered' | 'retrying' | 'failed'

/** A window of a list, newest first. */
export interface ListWindow<Row> {
  /** How many the sandbox holds. */
  readonly held: number
  /** How many fit, of those that are not newer than what was asked for. */
  readonly total: number
  /** How many fit and are newer than what was asked for. */
  readonly newer: number
  /** The number of the newest of all, to ask with the next time. */
  readonly newest: number
  /** Where the rows begin. */
  readonly offset: number
  readonly rows: readonly Row[]
}

/** One payment and everything that happened to it. */
export interface PaymentHistory {
  readonly payment: Row & {
    readonly operator: string | null
    readonly account: string | null
    readonly reference: string
    readonly expireAt: number | null
    readonly processedAt: number | null
    readonly callbackUrl: string | null
    readonly returnUrl: string | null
  }
  /** What the payment asks for by a magic value. */
  readonly magic: { readonly by: string; readonly meaning: string } | null
  /** What came of it, in a few sentences. */
  readonly sentence: string
  /** What a gateway may not have accepted in it, a sentence each. */
  readonly notes: readonly string[]
  /** The oldest first. */
  readonly entries: readonly Entry[]
  /** How many entries were left out, and before which of the entries they would stand. */
  readonly omitted: number
  readonly omittedAt: number
}

export type Entry = RequestEntry | StatusEntry | CallbackEntry

export interface RequestEntry {
  readonly type: 'request'
  /** Its number among the requests. */
  readonly number: number
  readonly at: number
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** JSON with its secrets masked, or a sentence why it is not shown. */
  readonly body: string | null
  /** Null while it is not answered. */
  readonly status: number | null
  /** `OK`, or the code of the refusal. */
  readonly verdict: string | null
  /** What of the answer the client got: `none` is silence on an open connection; with `left` it had gone before. */
  readonly arrival: 'whole' | 'reset' | 'cut' | 'none' | 'left' | 'waiting'
  readonly tookMs: number | null
  readonly fault: Forced | null
  /** In what a repeated create differs from the payment: `the money`; empty when it asks for the same. */
  readonly differs: readonly string[]
  /** Only for requests for a token. */
  readonly signature: Signature | null
  readonly token: Token | null
}

/** A fault, and what forced it: `amount 5001`, or a fault that was armed. */
export interface Forced {
  readonly kind: string
  readonly by: string
}

export interface Signature {
  readonly verdict: 'valid' | 'wrong' | 'missing' | 'not checked'
  readonly why: string
}

/** What a token says about itself; never the token. */
export interface Token {
  /** Whether this request made the token, or came with it. */
  readonly made: boolean
  readonly claims: string
  readonly expiresAt: number
}

export interface StatusEntry {
  readonly type: 'status'
  readonly at: number
  readonly status: string
  readonly before: string | null
  readonly cause: StatusCause
}

export type StatusCause = 'gateway' | 'magic' | 'fault' | 'page' | 'code'

export interface CallbackEntry {
  readonly type: 'callback'
  readonly at: number
  readonly url: string
  readonly attempt: number
  readonly paymentStatus: string
  /** Null while there is none. */
  readonly answer: number | null
  /** The beginning of the answer's body; null for none. */
  readonly answerBody: string | null
  readonly error: string | null
  /** What sent it: a change of status, or somebody by hand. */
  readonly source: 'change' | 'page' | 'code'
  readonly fault: Forced | null
  /** A fault kept it from being sent. */
  readonly isWithheld: boolean
  readonly method: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | null
  /** How long the merchant took. */
  readonly tookMs: number | null
  readonly nextTryAt: number | null
  readonly isGivenUp: boolean
}

/** What the page has to know of its sandbox. */
export interface Info {
  readonly merchantCode: string
  readonly basePath: string
  readonly clock: 'real' | 'virtual'
  /** Amounts and operator codes that force an outcome. */
  readonly magic: readonly {
    readonly amount: number
    readonly operatorCode: string | null
    readonly meaning: string
  }[]
  /** What can be armed, in the order in which a form offers it. */
  readonly faults: readonly FaultForm[]
  /** What is played by a profile; null where none is. */
  readonly profile: readonly ProfileSection[] | null
}

/** What a profile says about one matter, in words. */
export interface ProfileSection {
  readonly name: string
  readonly facts: readonly (readonly [name: string, value: string])[]
}

/** What the live stream says, at most a few times a second. */
export interface LiveUpdate {
  /** By the sandbox's clock, in milliseconds since 1970. */
  readonly now: number
  readonly held: number
  readonly rate: Rate
}

/** The requests of the last minute, second by second. */
export interface Rate {
  /** Requests a second; null for no limit. */
  readonly limit: number | null
  /** The second that is running, and how far it has come: 12.5 is the middle of the 13th. */
  readonly now: number
  /** Whether time passes by itself. */
  readonly moving: boolean
  /** Seconds in which something arrived. */
  readonly samples: readonly (readonly [step: number, passed: number, refused: number])[]
}
