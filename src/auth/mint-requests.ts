import type { Closing } from '../http/closing.js'
import type { Scope } from './scopes.js'
import type { SharedMint } from './shared-mint.js'
import type { MintRequest } from './token-keeper.js'
import type { TokenStore } from './token-store.js'
import type { TokenIdentity } from './token-store-keys.js'

/** What decides who mints. */
export interface MintSettings extends TokenIdentity {
  readonly tokenStore: TokenStore | undefined
}

/** The store was of no use. */
export interface StoreFailure {
  readonly kind: 'unshared'
  /** A code or a class, and no message. */
  readonly storeFailure: string
}

/** How the tokens of a client are minted. */
export interface MintRequests {
  readonly request: MintRequest<Scope>
  /** The gateway did not take the token of this scope. */
  readonly refused: (scope: Scope) => void
}

/** By the client alone; or once for all who share a store, whose code is loaded when the first token is needed. */
export function mintRequests(
  settings: MintSettings,
  alone: MintRequest<Scope>,
  closing: Closing,
  onStoreFailure: (scope: Scope, failure: StoreFailure) => void,
): MintRequests {
  const { tokenStore: store, ...identity } = settings
  if (store === undefined) return { request: alone, refused: () => {} }
  let shared: Promise<SharedMint> | undefined
  const load = () => {
    shared ??= import('./shared-mint.js').then(
      ({ SharedMint }) => new SharedMint({ store, identity, request: alone, closing, onStoreFailure }),
    )
    return shared
  }
  // A payment's own token is used by who creates it, and by few others: to share it costs more than it saves.
  const isShared = ({ label }: Scope) => label !== 'payment'
  return {
    request: async (scope, abandoned, limits) =>
      isShared(scope) ? (await load()).mint(scope, abandoned, limits) : alone(scope, abandoned, limits),
    refused: (scope) => {
      if (isShared(scope)) void load().then((loaded) => loaded.refused(scope))
    },
  }
}
