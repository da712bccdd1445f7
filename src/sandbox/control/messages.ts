/** The JSON between the sandbox and its page. Types only, because the page is bundled for browsers. */

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
}

/** A window of the list, newest first. */
export interface Listing {
  /** How many payments the sandbox holds. */
  readonly held: number
  /** How many of them fit the search. */
  readonly total: number
  /** Where the rows begin; it may differ from what was asked for, when payments came in front. */
  readonly offset: number
  readonly rows: readonly Row[]
}

/** One payment and everything that happened to it. */
export interface Story {
  readonly payment: Row & {
    readonly operator: string | null
    readonly account: string | null
    readonly reference: string
    readonly expireAt: number | null
    readonly processedAt: number | null
    readonly callbackUrl: string | null
    readonly returnUrl: string | null
  }
  /** The oldest first. */
  readonly entries: readonly Entry[]
  /** How many older entries were left out. */
  readonly omitted: number
}

export type Entry = RequestEntry | StatusEntry | CallbackEntry

export interface RequestEntry {
  readonly type: 'request'
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
  readonly fault: string | null
  /** Only for requests for a token. */
  readonly signature: Signature | null
  readonly token: Token | null
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
}

export interface CallbackEntry {
  readonly type: 'callback'
  readonly at: number
  readonly url: string
  readonly attempt: number
  readonly paymentStatus: string
  /** Null while there is none. */
  readonly answer: number | null
  readonly error: string | null
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
}

/** A fault that was armed on the page. */
export interface ArmedFault {
  readonly key: number
  readonly route: string
  readonly id: string | null
  readonly kind: string
  readonly hits: number
  readonly times: number
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

export interface FaultOrder {
  readonly route: string
  readonly id?: string
  readonly times: number
  readonly kind: string
  readonly status?: number
  readonly ms?: number
}
