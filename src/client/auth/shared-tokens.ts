import type { JoinedLimits } from '../http/call.js'
import type { FailedCall } from '../http/to-error.js'
import type { Scope } from './scopes.js'
import type { SharedMint, SharedMintParts } from './shared-mint.js'
import type { Minted, TokenMint } from './token-keeper.js'

/** Tokens that are minted once for all who share a store. The code for that is loaded with the first of them. */
export class SharedTokens implements TokenMint<Scope> {
  readonly #parts: SharedMintParts
  #shared: Promise<SharedMint> | undefined

  constructor(parts: SharedMintParts) {
    this.#parts = parts
  }

  async mint(scope: Scope, abandoned: AbortSignal, limits: JoinedLimits): Promise<Minted | FailedCall> {
    const mint = isShared(scope) ? await this.#load() : this.#parts.alone
    return mint.mint(scope, abandoned, limits)
  }

  refused(scope: Scope): void {
    if (isShared(scope)) void this.#load().then((shared) => shared.refused(scope))
  }

  #load(): Promise<SharedMint> {
    this.#shared ??= import('./shared-mint.js').then(({ SharedMint }) => new SharedMint(this.#parts))
    return this.#shared
  }
}

/** A payment's own token is used by who creates it, and by few others: to share it costs more than it saves. */
function isShared({ label }: Scope): boolean {
  return label !== 'payment'
}
