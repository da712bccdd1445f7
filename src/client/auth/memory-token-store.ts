import type { SharedToken, TokenStore } from './token-store.js'

interface Entry {
  stored: (SharedToken & { readonly version: string; readonly endsAt: number }) | undefined
  claimed: { readonly claim: string; readonly at: number; readonly until: number } | undefined
}

/** A platform may have thousands of merchants, and each a few families. */
const mostKept = 10_000

/**
 * A store for the tokens of all clients in this process: one token request for each merchant, also where a client is
 * made for each request, as in Cloudflare Workers. Clients share what agrees in gateway, merchant, key and operations.
 *
 * @example
 * const tokenStore = memoryTokenStore() // once, outside of the handler
 * const client = new GatewayClient({ ...account, fetch, tokenStore })
 */
export function memoryTokenStore(): TokenStore {
  const entries = new Map<string, Entry>()
  let last = 0
  return {
    async claim(key, { unless, forMs }) {
      const now = performance.now()
      const entry = entries.get(key) ?? { stored: undefined, claimed: undefined }
      const { stored, claimed } = entry
      if (stored !== undefined && stored.version !== unless && stored.endsAt > now) {
        const { token, lifetimeMs, version, endsAt } = stored
        return { state: 'stored', token, lifetimeMs, version, remainingMs: endsAt - now }
      }
      if (claimed !== undefined && claimed.until > now) return { state: 'busy' }
      const claim = String(++last)
      entry.claimed = { claim, at: now, until: now + forMs }
      entries.delete(key)
      entries.set(key, entry)
      for (const oldest of entries.keys()) {
        if (entries.size <= mostKept) break
        entries.delete(oldest)
      }
      return { state: 'claimed', claim }
    },
    async put(key, claim, { token, lifetimeMs }) {
      const entry = entries.get(key)
      const version = String(++last)
      // A claim that lapsed has no beginning any more, and a token without one no end.
      if (entry?.claimed?.claim !== claim) return version
      entry.stored = { token, lifetimeMs, version, endsAt: entry.claimed.at + lifetimeMs }
      entry.claimed = undefined
      return version
    },
    async release(key, claim) {
      const entry = entries.get(key)
      if (entry?.claimed?.claim === claim) entry.claimed = undefined
    },
    async remove(key, version) {
      const entry = entries.get(key)
      if (entry?.stored?.version === version) entry.stored = undefined
    },
  }
}
