import type { TokenScope } from '../observe/events.js'
import { labelOf, type Route } from '../routes.js'
import type { Money } from '../schemas/money.js'
import type { AnswerShape } from '../schemas/shape.js'
import type { About, Failure, Shown, StopSignals, TransportResponse } from './failure.js'
import type { Priority } from './limit/limiter.js'

export interface SignedBody {
  readonly body: Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

export type SignBody = (previous: Failure | undefined) => Promise<SignedBody | Failure>

export interface GatewayRequest<T> {
  readonly route: Route
  readonly path: string
  readonly about: About
  /** That of the call where it is left out. */
  readonly priority?: Exclude<Priority, 'customer'>
  /** With whose requests it takes turns within its priority; its route's name where it is left out. */
  readonly flow?: string
  readonly token?: { readonly tokens: TokenSource; readonly scope: Scope }
  /** The text that is sent, or what makes and signs it anew for each attempt: a signature holds the time of day. */
  readonly body?: string | SignBody
  readonly alsoResponse?: number
  /** Every attempt goes out on a connection that no response has come on: what is left over there is no response to it. */
  readonly connection?: 'new'
  readonly retryNotFound?: boolean
  /** False for a request that may have been processed and must then not be repeated. */
  readonly repeatable?: boolean
  readonly secrets?: readonly string[]
  readonly shape: AnswerShape<T>
  readonly identify?: (value: unknown) => Identity
}

/** How its errors name it: the caller of a request of its own making knows its own path. */
export function shownRoute({ route, about }: Pick<GatewayRequest<unknown>, 'route' | 'about'>): string {
  return about.kind === 'request' ? `${about.method} ${about.path}` : labelOf(route)
}

/** What a parsed body, of use or not, says of whose payment it is; an `issue` makes it of no use. */
export interface Identity {
  readonly shows: Shown
  readonly issue: string | undefined
  /** What it lacks that a caller can do without: reported as drift. */
  readonly lacks: string | undefined
}

export interface GatewayResponse<T> {
  readonly status: number
  readonly value: T | undefined
  readonly headers: TransportResponse['headers']
  readonly attempts: number
  /** The response itself, where its status is `alsoResponse`: what it says is shown where the call fails all the same. */
  readonly refusal?: TransportResponse
}

export type TokenGrant = (
  | { readonly action: string; readonly idPayment: string }
  | { readonly operations: readonly string[] }
) & { readonly money?: Money }

/** What a token is for. Equal keys mean the same token. */
export interface Scope {
  readonly key: string
  readonly label: TokenScope
  readonly grant: TokenGrant
}

export interface TokenSource {
  fresh(scope: Scope): string | undefined
  mint(scope: Scope, wait: TokenWait): Promise<string | Failure>
  worked(scope: Scope, token: string): void
  refused(scope: Scope, token: string, status: number): TokenRefusal
}

/** What a refused request says of its token. A very new one may work after so many milliseconds. */
export type TokenRefusal = undefined | 'replaced' | 'ran-out' | { readonly againAfterMs: number }

export interface TokenWait extends StopSignals {
  readonly ms: number
  readonly retries: number
}
