import { within } from '../http/abortable-wait.js'
import type { Patience } from '../http/call.js'
import type { Failed, Failure } from '../http/failure.js'
import type { Scope } from '../http/request.js'
import { failureKind } from '../input/failure-kind.js'
import { nodeCrypto } from '../input/private-key.js'
import { isObject, jsonOf } from '../input/values.js'
import type { Ending } from '../input/wait.js'
import type { Observer } from '../observe/observer.js'
import { Sealer } from './seal.js'
import type { Minted, TokenMint } from './token-keeper.js'
import { refreshAfterMs, usableMs } from './token-lifetime.js'

/**
 * Where short-lived processes find the tokens of those before them. The texts are sealed by the client, and the keys
 * name no account: whoever has the cache can neither read nor forge a token.
 *
 * @example
 * const texts = new Map<string, string>()
 * const tokenCache = { get: (key) => texts.get(key), set: (key, text) => void texts.set(key, text) }
 */
export interface TokenCache {
  /**
   * The text of a key.
   *
   * @returns what was set last; undefined or null where there is none.
   */
  get(key: string): PromiseLike<string | null | undefined> | string | null | undefined
  /** Keeps a text in place of the one before, for `forMs` at most. */
  set(key: string, text: string, forMs: number): unknown
}

export interface CachedMintParts {
  readonly cache: TokenCache
  readonly identity: {
    readonly origin: string
    readonly basePath: string
    readonly merchantCode: string
    readonly tokenValiditySecs: number
  }
  readonly secret: () => Promise<Uint8Array>
  readonly requests: TokenMint
  readonly now: () => number
  readonly closing: Ending
  readonly observer: Pick<Observer, 'token'>
}

/** A cache that takes longer counts as empty. */
const cacheTimeoutMs = 1_000
const longestText = 32_768
const late: Failure = { kind: 'deadline', sent: false, while: 'waiting for the token cache' }

interface Cached {
  readonly token: string
  readonly lifetimeMs: number
  readonly endsAt: number
}

/** Mints tokens, unless the cache has one. Whatever the cache does, a call gets its token. */
export class CachedMint implements TokenMint {
  readonly #parts: CachedMintParts
  #sealing: Promise<{ readonly sealer: Sealer; readonly keyOf: (scope: Scope) => string }> | undefined
  readonly #refused = new Map<string, string>()

  constructor(parts: CachedMintParts) {
    this.#parts = parts
  }

  async mint(scope: Scope, abandoned: AbortSignal, limits: Patience): Promise<Minted | Failed> {
    const { requests, now } = this.#parts
    // Few others would use the token of one payment.
    if (scope.label === 'payment') return requests.mint(scope, abandoned, limits)
    const cached = await this.#get(scope)
    if (cached !== undefined) return cached
    const askedAt = now()
    const minted = await requests.mint(scope, abandoned, limits)
    if ('token' in minted) {
      this.#refused.delete(scope.key)
      await this.#set(scope, {
        token: minted.token,
        lifetimeMs: minted.lifetimeMs,
        endsAt: askedAt + minted.lifetimeMs,
      })
    }
    return minted
  }

  refused(scope: Scope, token: string): void {
    if (scope.label !== 'payment') this.#refused.set(scope.key, token)
  }

  async #get(scope: Scope): Promise<Minted | undefined> {
    const { sealer, keyOf } = await this.#seals()
    const key = keyOf(scope)
    const text = await this.#use(scope, (cache) => cache.get(key))
    if (text === undefined || text === null) return undefined
    const opened =
      typeof text === 'string' && text.length <= longestText ? readCached(sealer.open(text, key)) : undefined
    if (opened === undefined) {
      this.#report(scope, 'unreadable')
      return undefined
    }
    const remainingMs = opened.endsAt - this.#parts.now()
    const isRefused = this.#refused.get(scope.key) === opened.token
    if (isRefused || !isFresh(opened, remainingMs, this.#parts.identity.tokenValiditySecs)) return undefined
    return { token: opened.token, lifetimeMs: remainingMs, isTaken: true }
  }

  async #set(scope: Scope, cached: Cached): Promise<void> {
    const { sealer, keyOf } = await this.#seals()
    const key = keyOf(scope)
    const text = sealer.seal(JSON.stringify(cached), key)
    await this.#use(scope, (cache) => cache.set(key, text, Math.ceil(cached.lifetimeMs)))
  }

  /** One use of the cache. It may throw, reject or never end: then this is undefined. */
  async #use<T>(scope: Scope, use: (cache: TokenCache) => PromiseLike<T> | T): Promise<T | undefined> {
    const { cache, closing } = this.#parts
    const used = Promise.resolve(cache)
      .then(use)
      .then((value) => ({ value }))
    try {
      const result = await within(used, { ms: cacheTimeoutMs, late, signal: undefined, closing })
      if ('value' in result) return result.value
      if (result === late) this.#report(scope, 'timeout')
    } catch (error) {
      this.#report(scope, failureKind(error))
    }
    return undefined
  }

  #report(scope: Scope, cacheFailure: string): void {
    this.#parts.observer.token(scope, { kind: 'uncached', cacheFailure })
  }

  #seals() {
    this.#sealing ??= sealingOf(this.#parts)
    return this.#sealing
  }
}

async function sealingOf({ identity, secret }: CachedMintParts) {
  const key = await secret()
  const { origin, basePath, merchantCode, tokenValiditySecs } = identity
  // Keyed, so that nobody finds out by guesses whose token it is.
  const keyOf = (scope: Scope) => {
    const named = JSON.stringify([origin + basePath, merchantCode, tokenValiditySecs, scope.key])
    const hash = nodeCrypto().createHmac('sha256', key).update(`name ${named}`).digest('base64url')
    return `merchant-gateway:token:${hash}`
  }
  return { sealer: new Sealer([key]), keyOf }
}

function readCached(text: string | undefined): Cached | undefined {
  const read = jsonOf(text ?? '')
  if (!isObject(read)) return undefined
  const { token, lifetimeMs, endsAt } = read
  const hasTimes = typeof lifetimeMs === 'number' && typeof endsAt === 'number'
  return hasTimes && typeof token === 'string' ? { token, lifetimeMs, endsAt } : undefined
}

/** Whether a token may be used for a while: not when whoever minted it would replace it by now. */
function isFresh({ lifetimeMs }: Cached, remainingMs: number, validitySecs: number): boolean {
  // False for NaN, too. A token that seems to live for too long is of a clock that differs.
  if (!(remainingMs > 0 && remainingMs <= validitySecs * 1000)) return false
  return lifetimeMs - remainingMs < refreshAfterMs(usableMs(lifetimeMs), 1)
}
