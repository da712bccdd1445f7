import type { Closing } from '../http/abortable-wait.js'
import { sleep, within } from '../http/abortable-wait.js'
import type { JoinedLimits } from '../http/call.js'
import type { Failure } from '../http/failure.js'
import type { FailedCall } from '../http/to-error.js'
import { failureKind } from '../input/failure-kind.js'
import { isObject } from '../input/own.js'
import type { Observer } from '../observe/observer.js'
import type { Scope } from './scopes.js'
import type { Minted, TokenMint } from './token-keeper.js'
import { refreshAfterMs } from './token-lifetime.js'
import type { TokenClaim, TokenStore } from './token-store.js'
import { type TokenIdentity, tokenStoreKeys } from './token-store-keys.js'
import { isHeaderText, longestToken } from './token-text.js'

/** What minting for several clients needs. */
export interface SharedMintParts {
  readonly store: TokenStore
  readonly identity: TokenIdentity
  /** Asks the gateway, for this client alone. */
  readonly alone: TokenMint<Scope>
  /** Fires when the client is closed. */
  readonly closing: Closing
  readonly observer: Pick<Observer, 'token'>
}

/** What the store answers; undefined when each client is on its own. */
type StoreAnswer = Exclude<TokenClaim, { state: 'busy' }> | undefined

/** A store that answers later than this is taken for one that is away. */
const storeTimeoutMs = 1_000
/** Longer than a token request takes, and not too long for those who wait for a client that was killed. */
const claimMs = 5_000
/** After so long, whoever waits mints for itself: others may claim and fail one after the other. */
const longestWaitMs = 2 * claimMs
const firstGapMs = 25
const longestGapMs = 250
/** Keys whose version is remembered: as many as the client keeps tokens. */
const mostKnown = 1_000
const late: Failure = { kind: 'deadline', sent: false, while: 'waiting for the token store' }

/** Mints tokens once for all clients that share a store. Whatever the store does, a call gets its token. */
export class SharedMint {
  readonly #parts: SharedMintParts
  #keys: Promise<(scope: Scope) => string> | undefined
  /** The version that this client has had last of each key: whoever mints again wants another one. */
  readonly #known = new Map<string, string>()

  constructor(parts: SharedMintParts) {
    this.#parts = parts
  }

  /** A token from the store; or a new one, for all. */
  async mint(scope: Scope, abandoned: AbortSignal, limits: JoinedLimits): Promise<Minted | FailedCall> {
    const key = await this.#keyOf(scope)
    const answer = key === undefined ? undefined : await this.#ask(scope, key, abandoned)
    if (key === undefined || answer === undefined) return this.#parts.alone.mint(scope, abandoned, limits)
    if (answer.state === 'stored') {
      this.#remember(key, answer.version)
      return { token: answer.token, lifetimeMs: answer.remainingMs, isTaken: true }
    }
    const minted = await this.#parts.alone.mint(scope, abandoned, limits)
    await this.#settle(scope, key, answer.claim, minted)
    return minted
  }

  /** The gateway did not take this client's token: nobody else should try it. Never rejects. */
  async refused(scope: Scope): Promise<void> {
    const key = await this.#keyOf(scope)
    const version = key === undefined ? undefined : this.#known.get(key)
    if (key === undefined || version === undefined) return
    await this.#use(scope, (store) => store.remove(key, version))
  }

  /** The token that is there, the claim to mint it, or nothing when that takes too long or the store fails. */
  async #ask(scope: Scope, key: string, abandoned: AbortSignal): Promise<StoreAnswer> {
    const { tokenValiditySecs } = this.#parts.identity
    const giveUpAt = performance.now() + longestWaitMs
    let unless = this.#known.get(key)
    let unusable = 0
    let gapMs = firstGapMs
    while (performance.now() < giveUpAt && !abandoned.aborted) {
      const options = { unless, forMs: claimMs }
      const answer = await this.#use(scope, async (store) => readClaim(await store.claim(key, options)))
      if (answer?.state === 'claimed' && answer.unreadable) this.#report(scope, 'unreadable')
      if (answer === undefined || answer.state === 'claimed') return answer
      if (answer.state === 'stored') {
        if (answer.version !== unless && isUsable(answer, tokenValiditySecs)) return answer
        // One may be too old. A store that has more of what can't be used is none.
        if (++unusable > 1) return undefined
        unless = answer.version
        continue
      }
      await sleep(gapMs * (0.5 + Math.random()), { signal: abandoned, closing: this.#parts.closing })
      gapMs = Math.min(2 * gapMs, longestGapMs)
    }
    return undefined
  }

  /** The name of the scope's token in the store; undefined where the key has no name. */
  async #keyOf(scope: Scope): Promise<string | undefined> {
    try {
      this.#keys ??= tokenStoreKeys(this.#parts.identity)
      return (await this.#keys)(scope)
    } catch (error) {
      this.#report(scope, failureKind(error))
      return undefined
    }
  }

  async #settle(scope: Scope, key: string, claim: string, minted: Minted | FailedCall): Promise<void> {
    if (!('token' in minted)) {
      await this.#use(scope, (store) => store.release(key, claim))
      return
    }
    const { token, lifetimeMs } = minted
    const version = await this.#use(scope, (store) => store.put(key, claim, { token, lifetimeMs }))
    if (version !== undefined) this.#remember(key, version)
  }

  /** One use of the store. It may throw, reject, or never end: then it is away, and this is undefined. */
  async #use<T>(scope: Scope, use: (store: TokenStore) => Promise<T>): Promise<T | undefined> {
    const { store, closing } = this.#parts
    const used = Promise.resolve(store)
      .then(use)
      .then((value) => ({ value }))
    try {
      const result = await within(used, { ms: storeTimeoutMs, late, signal: undefined, closing })
      if ('value' in result) return result.value
      if (result === late) this.#report(scope, 'timeout')
    } catch (error) {
      this.#report(scope, failureKind(error))
    }
    return undefined
  }

  #report(scope: Scope, storeFailure: string): void {
    this.#parts.observer.token(scope, { kind: 'unshared', storeFailure })
  }

  #remember(key: string, version: string): void {
    this.#known.delete(key)
    this.#known.set(key, version)
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKnown) return
      this.#known.delete(oldest)
    }
  }
}

type Stored = Extract<TokenClaim, { state: 'stored' }>

/** What a store answered, as far as it is an answer: anything may be in a store, and anybody can write one. */
export function readClaim(answer: unknown): TokenClaim | undefined {
  if (!isObject(answer)) return undefined
  const { state, claim, unreadable, token, lifetimeMs, remainingMs, version } = answer
  switch (state) {
    case 'claimed':
      return typeof claim === 'string' ? { state, claim, unreadable: unreadable === true } : undefined
    case 'busy':
      return { state }
    case 'stored':
      return typeof token === 'string' &&
        typeof lifetimeMs === 'number' &&
        typeof remainingMs === 'number' &&
        typeof version === 'string'
        ? { state, token, lifetimeMs, remainingMs, version }
        : undefined
    default:
      return undefined
  }
}

/**
 * Whether a stored token may be used by a client that asks for such a validity. Not when its successor should be
 * there by now, so that nobody begins with what is about to end.
 */
function isUsable({ token, lifetimeMs, remainingMs }: Stored, validitySecs: number): boolean {
  if (!isHeaderText(token) || token.length > longestToken) return false
  // Written so that it is false where a number is none.
  const isAlive = remainingMs > 0 && remainingMs <= validitySecs * 1000
  return isAlive && lifetimeMs - remainingMs < refreshAfterMs(lifetimeMs, 0)
}
