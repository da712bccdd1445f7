/** A token that several clients use. */
export interface SharedToken {
  /** The text itself: encrypt it wherever it leaves the process. */
  readonly token: string
  /** How long it lives in all, in milliseconds from when it was claimed. */
  readonly lifetimeMs: number
}

/** What a store answers to whoever needs a token. */
export type TokenClaim =
  /** There is one. */
  | (SharedToken & {
      /** Which of the three answers it is. */
      readonly state: 'stored'
      /** How much of its life is left, in milliseconds by the store's clock. */
      readonly remainingMs: number
      /** Names this very token among those of its key, and says nothing of it. */
      readonly version: string
    })
  /** There is none: whoever asked is the one to mint it, and calls `put` or `release` with this claim. */
  | {
      /** Which of the three answers it is. */
      readonly state: 'claimed'
      /** Names the claim. */
      readonly claim: string
      /** Whether something was kept that can't be read: torn, foreign, or encrypted with another key. */
      readonly unreadable?: boolean | undefined
    }
  /** Another client is minting it: ask again. */
  | {
      /** Which of the three answers it is. */
      readonly state: 'busy'
    }

/**
 * Where clients keep the tokens that they share, so that one token request serves all of them: the option
 * `tokenStore` of a client. `memoryTokenStore()` is one for the clients of a process; `merchant-gateway/redis`
 * and `merchant-gateway/postgres` have those for many processes. Nothing relies on it: where it fails, forgets, or takes longer
 * than a second, a client mints for itself.
 *
 * Times are the store's own, so that no two machines need agree about the clock. A token's life counts from
 * the claim that it was minted under.
 */
export interface TokenStore {
  /**
   * The token of a key, or the right to mint it, in one step: of all who ask at once, one gets the claim.
   *
   * @param key names merchant, gateway, signing key and what the token allows; no secret.
   * @param options `unless`: the version of a token that is not wanted any more, treated as if it were not
   * there. `forMs`: for how long the claim keeps others waiting, in milliseconds.
   */
  claim(
    key: string,
    options: { readonly unless: string | undefined; readonly forMs: number },
  ): Promise<TokenClaim>
  /**
   * Keeps what was minted, in place of what was there, and ends the claim.
   *
   * @returns the version of what is kept now.
   */
  put(key: string, claim: string, token: SharedToken): Promise<string>
  /** Ends a claim under which nothing was minted. */
  release(key: string, claim: string): Promise<void>
  /** Forgets this very token, and no newer one: the gateway refused it. */
  remove(key: string, version: string): Promise<void>
}
