import type { Closing } from './closing.js'
import type { Failure } from './failure.js'

/** Where the token of a request comes from: bound to what it has to allow when the request is made. */
export interface TokenSource {
  /** A token that is good for now, if there is one. */
  fresh(): string | undefined
  /** A new token; one request is under way for it, whoever asks, for as long as somebody waits. */
  mint(wait: TokenWait): Promise<string | Failure>
  /** Forgets this very token: the gateway did not take it. */
  drop(token: string): void
}

/** How long a call waits for a token, and how often the request for it may be tried again for its sake. */
export interface TokenWait {
  readonly ms: number
  readonly retries: number
  readonly signal: AbortSignal | undefined
  /** Fires when the client is closed. */
  readonly closing: Closing
}
