import type { Lane } from '../observe/events.js'
import type { WatchedCall } from '../observe/watched-call.js'
import type { Shape } from '../schemas/shape.js'
import type { Limits } from './abortable-wait.js'
import type { CallOptions } from './call-options.js'
import type { Credential, Evidence, Failure, Shown, TransportResponse } from './failure.js'
import type { Meaning } from './to-error.js'
import type { HttpMethod } from './transport/transport.js'

/** Where tokens come from, as the exchange sees it. */
export interface TokenSource<Scope> {
  /** A token that is good for now, if there is one. */
  fresh(scope: Scope): string | undefined
  /** A new token; one request under way for each scope, whoever asks, for as long as somebody waits. */
  mint(scope: Scope, limits: MintLimits): Promise<string>
  /** Forgets this very token: the gateway did not take it. */
  drop(scope: Scope, token: string): void
}

/** How long a call waits for a token, and how often the request for it may be tried again for its sake. */
export interface MintLimits extends Limits {
  readonly retries?: number | undefined
}

/** The limits of the most patient of those who wait for one request; they may come while it is under way. */
export interface SharedLimits {
  /** On the monotonic clock. */
  readonly endAt: number
  readonly retries: number
}

/** A body and the headers that belong to its bytes. */
export interface Prepared {
  readonly body: Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

/** One question to the gateway. */
export interface Question<Scope> {
  /** The method of the client that asks, for logs and traces: `payins.create`. */
  readonly name: string
  readonly method: HttpMethod
  /** Escaped path with the query. */
  readonly path: string
  /** The same as a template, for messages: `POST /payins/{idPayin}`. */
  readonly route: string
  /** The same for logs and traces, where `route` holds what the caller made up. */
  readonly routeTemplate?: string
  readonly lane: Lane
  /** What the token must allow; absent on token requests. */
  readonly scope?: Scope
  readonly body?: string
  /** Makes the body anew for each attempt: token requests sign the time of day. */
  readonly prepare?: () => Promise<Prepared>
  /** What a token request shows of who asks; absent where a token does. */
  readonly credential?: Credential
  /** Where calls wait for this one: it is not given up before the last of them. */
  readonly shared?: SharedLimits
  /** Reads a body that is no JSON; undefined when it is no use. */
  readonly readText?: (body: string) => unknown
  /** A status beside 2xx that is an answer: 409 for creates. */
  readonly alsoAnswer?: number
  /** Whether a 404 may pass (a look-up after a 409). */
  readonly retryNotFound?: boolean
  /** False for a request that may have been processed and must then not be repeated. */
  readonly repeatable?: boolean
  /** Whether the answer may have no body. */
  readonly allowEmpty?: boolean
  /** Values that no error may show, beside those of `body`. */
  readonly secrets?: () => readonly string[]
  /** Whether the answer may be a secret as a whole: a token, whatever it is wrapped in. */
  readonly answerIsSecret?: boolean
  readonly meaning: (evidence: Evidence, failure?: Failure) => Meaning
  readonly options: CallOptions | undefined
  /** Where this call is part of a longer one: when that began, on the monotonic clock. */
  readonly startedAt?: number
  /** There while somebody watches; where this call is part of a longer one, the longer one. */
  readonly watched?: WatchedCall
}

/** A question, and what its answer should look like. */
export interface Call<Scope, T> extends Question<Scope> {
  readonly shape: Shape<T>
  /** Looks at what a shape can't: whether the answer is about the payment that was asked for. */
  readonly identify?: (value: unknown) => Identity
}

/** What a parsed body, of use or not, says of whose payment it is; an `issue` makes it of no use. */
export interface Identity {
  readonly shows: Shown
  readonly issue?: string
}

/** A usable answer. */
export interface Answer<T> {
  readonly status: number
  /** The parsed body, exactly as it came; undefined for the status `alsoAnswer`. */
  readonly value: T | undefined
  readonly headers: TransportResponse['headers']
  readonly attempts: number
  /** What the attempts before this answer may have done. */
  readonly evidence: Evidence
  /** When the call began, on the monotonic clock. */
  readonly startedAt: number
  /** With the status `alsoAnswer`: what no error of a question that follows from it may show. */
  readonly secrets?: () => readonly string[]
}
