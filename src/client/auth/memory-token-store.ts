import type { TokenStore } from './token-store.js'

/**
 * A store for the tokens of all clients in this process: one token request for each merchant, also where a client is
 * made for each request, as in Cloudflare Workers. Clients share what agrees in gateway, merchant, key and operations.
 *
 * @example
 * const tokenStore = memoryTokenStore() // once, outside of the handler
 * const client = new GatewayClient({ ...account, fetch, tokenStore })
 */
export function memoryTokenStore(): TokenStore {
  let memory: TokenStore | undefined
  // No promise is kept: in Workers, one that a request has made is no other's to wait for.
  const load = async () => {
    const { tokenMemory } = await import('./token-memory.js')
    memory ??= tokenMemory()
    return memory
  }
  return {
    claim: async (...args) => (await load()).claim(...args),
    put: async (...args) => (await load()).put(...args),
    release: async (...args) => (await load()).release(...args),
    remove: async (...args) => (await load()).remove(...args),
  }
}
