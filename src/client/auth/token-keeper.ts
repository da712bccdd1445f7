import { within } from '../http/abortable-wait.js'
import type { Patience } from '../http/call.js'
import { type Failed, type Failure, isFailed } from '../http/failure.js'
import type { Scope, TokenRefusal, TokenSource, TokenWait } from '../http/request.js'
import { Recent } from '../http/secrets.js'
import type { Observer } from '../observe/observer.js'
import { refreshAfterMs, usableMs } from './token-lifetime.js'

export interface Minted {
  readonly token: string
  /** From when it was asked for, in milliseconds. */
  readonly lifetimeMs: number
  readonly isTaken?: boolean
}

interface Kept {
  readonly scope: Scope
  readonly token: string
  refreshAt: number
  readonly expiresAt: number
  readonly mintedAt: number
  hasWorked: boolean
}

export interface TokenMint {
  mint(scope: Scope, abandoned: AbortSignal, limits: Patience): Promise<Minted | Failed>
  refused?(scope: Scope, token: string): void
}

interface Minting {
  readonly token: Promise<string | Failed>
  readonly abandoned: AbortController
  readonly limits: Patience
  waiting: number
}

/** Payments have tokens of their own in one mode, so there may be many. */
const mostKept = 1000
const leastRefreshGapMs = 1000
/** Statuses that are about the token and nothing else; some gateways say 498 for an invalid one. */
const refusesToken: ReadonlySet<number> = new Set([401, 498])
/** With these some gateways refuse a token that was revoked (419 and 440: of a session). As a rule they are about the request. */
const mayRefuseToken: ReadonlySet<number> = new Set([400, 403, 404, 419, 440])
const doubtGapMs = 60_000
/** Up to this age, a token that is refused may only have to become known at the gateway. */
const newMs = 1_500
/** Made once: Node takes over a millisecond for the first reason that it makes itself. */
const nobodyWaits = new DOMException('Nobody waits for the token any more.', 'AbortError')
const late: Failure = { kind: 'deadline', sent: false, while: 'waiting for a token' }

/** Keeps one token for each scope, and has one request under way for it, whoever asks. Times are of the monotonic clock. */
export class TokenKeeper implements TokenSource {
  readonly #mint: TokenMint
  readonly #observer: Pick<Observer, 'token'>
  readonly #kept = new Map<string, Kept>()
  readonly #minting = new Map<string, Minting>()
  /** Tokens whose life has ended: a request that took one in time may still be on its way. */
  readonly #ranOut = new Recent(64)
  readonly #noDoubtUntil = new Map<string, number>()
  /** False after a token was waited for in vain, until one works. */
  #mayBeginLate = true

  constructor(mint: TokenMint, observer: Pick<Observer, 'token'>) {
    this.#mint = mint
    this.#observer = observer
  }

  fresh(scope: Scope): string | undefined {
    const kept = this.#kept.get(scope.key)
    if (kept === undefined) return undefined
    const now = performance.now()
    if (now >= kept.expiresAt) {
      this.#drop(kept, 'expired')
      return undefined
    }
    if (now >= kept.refreshAt) this.#refresh(scope, kept, now)
    return kept.token
  }

  async mint(scope: Scope, wait: TokenWait): Promise<string | Failure> {
    const { retries } = wait
    const endAt = performance.now() + wait.ms
    const minting = this.#minting.get(scope.key) ?? this.#start(scope, 'minted', { endAt, retries })
    minting.waiting++
    // What is short for one of them must not be short for all.
    const { limits } = minting
    limits.endAt = Math.max(limits.endAt, endAt)
    limits.retries = Math.max(limits.retries, retries)
    try {
      const result = await within(minting.token, { ...wait, late })
      // The token request has had its own retries.
      return isFailed(result) ? { kind: 'token', request: result } : result
    } finally {
      minting.waiting--
      // The request must not outlive the calls that it is for.
      if (minting.waiting === 0) this.#end(scope, minting)
    }
  }

  worked(scope: Scope, token: string): void {
    const kept = this.#kept.get(scope.key)
    if (kept?.token === token) kept.hasWorked = true
    this.#mayBeginLate = true
  }

  refused(scope: Scope, token: string, status: number): TokenRefusal {
    if (refusesToken.has(status)) return this.#isRefused(scope, token)
    return mayRefuseToken.has(status) ? this.#mayBeRefused(scope, token) : undefined
  }

  #isRefused(scope: Scope, token: string): TokenRefusal {
    const kept = this.#kept.get(scope.key)
    const now = performance.now()
    if (kept?.token === token && isOver(kept, now)) this.#drop(kept, 'expired')
    if (this.#ranOut.all.includes(token)) return 'ran-out'
    if (kept?.token !== token) return 'replaced'
    if (!kept.hasWorked && this.#mayBeginLate) {
      const ageMs = now - kept.mintedAt
      if (ageMs < newMs) return { againAfterMs: Math.min(1000, Math.max(250, 2 * ageMs)) }
      this.#mayBeginLate = false
    }
    return this.#replace(kept)
  }

  #mayBeRefused(scope: Scope, token: string): TokenRefusal {
    const kept = this.#kept.get(scope.key)
    if (kept?.token !== token) {
      const isAnotherOne = kept !== undefined || this.#minting.has(scope.key)
      return isAnotherOne ? 'replaced' : undefined
    }
    return kept.hasWorked && this.#mayDoubt(scope) ? this.#replace(kept) : undefined
  }

  #replace(kept: Kept): TokenRefusal {
    this.#drop(kept, 'refused')
    this.#mint.refused?.(kept.scope, kept.token)
    return 'replaced'
  }

  #mayDoubt({ key }: Scope): boolean {
    const now = performance.now()
    for (const [other, until] of this.#noDoubtUntil) if (until <= now) this.#noDoubtUntil.delete(other)
    if (this.#noDoubtUntil.has(key)) return false
    this.#noDoubtUntil.set(key, now + doubtGapMs)
    return true
  }

  #drop(kept: Kept, why: 'refused' | 'expired' | 'evicted'): void {
    const { scope, token, mintedAt, expiresAt } = kept
    this.#kept.delete(scope.key)
    // One that was dead on arrival has not run out.
    if (why === 'expired' && mintedAt < expiresAt) this.#ranOut.add(token)
    this.#observer.token(scope, { kind: 'dropped', why })
  }

  #start(scope: Scope, kind: 'minted' | 'refreshed', limits: Patience = { endAt: 0, retries: 0 }): Minting {
    const abandoned = new AbortController()
    const token = this.#mintNew(scope, kind, abandoned.signal, limits)
    const minting: Minting = { token, abandoned, limits, waiting: 0 }
    this.#minting.set(scope.key, minting)
    const end = () => this.#end(scope, minting)
    minting.token.then(end, end)
    return minting
  }

  #end(scope: Scope, minting: Minting): void {
    if (this.#minting.get(scope.key) === minting) this.#minting.delete(scope.key)
    minting.abandoned.abort(nobodyWaits)
  }

  async #mintNew(
    scope: Scope,
    kind: 'minted' | 'refreshed',
    abandoned: AbortSignal,
    limits: Patience,
  ): Promise<string | Failed> {
    const askedAt = performance.now()
    const minted = await this.#mint.mint(scope, abandoned, limits)
    if (isFailed(minted)) return minted
    const { token, lifetimeMs, isTaken } = minted
    const forMs = usableMs(lifetimeMs)
    const refreshAt = askedAt + refreshAfterMs(forMs, Math.random())
    this.#kept.delete(scope.key)
    this.#kept.set(scope.key, {
      scope,
      token,
      refreshAt,
      expiresAt: askedAt + forMs,
      mintedAt: performance.now(),
      // The client that had minted it has used it since.
      hasWorked: isTaken === true,
    })
    this.#observer.token(scope, { kind: isTaken ? 'taken' : kind, lifetimeMs })
    this.#dropOldest()
    return token
  }

  /** In the background, while the old token still serves. A failure is tried again later. */
  #refresh(scope: Scope, kept: Kept, now: number): void {
    if (this.#minting.has(scope.key)) return
    kept.refreshAt = now + Math.max(leastRefreshGapMs, (kept.expiresAt - now) / 2)
    // Counted as one that waits, so that it goes on when calls that joined it give up.
    this.#start(scope, 'refreshed').waiting++
  }

  #dropOldest(): void {
    for (const kept of this.#kept.values()) {
      if (this.#kept.size <= mostKept) return
      this.#drop(kept, 'evicted')
    }
  }
}

function isOver({ mintedAt, expiresAt }: Kept, now: number): boolean {
  return mintedAt < expiresAt && now >= expiresAt
}
