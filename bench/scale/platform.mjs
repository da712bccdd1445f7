// @ts-check
// Many merchants in one process: a client and a receiver of callbacks for each, over one pool of connections.
import { randomBytes } from 'node:crypto'
import { GatewayClient } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { Pool } from 'undici'
import { merchantOf } from './support.mjs'

const signer = { sign: async () => new Uint8Array(256) }

/**
 * @param {string} origin of bench/scale/workers/gateway.mjs
 * @param {number} count
 * @param {{ rateLimit?: false, publicUrl?: string, onPayin?: () => void }} [options]
 */
export function merchantsOf(origin, count, { publicUrl = 'http://127.0.0.1:1', onPayin, ...options } = {}) {
  const dispatcher = new Pool(origin, { connections: 64 })
  const secrets = [randomBytes(32)]
  return Array.from({ length: count }, (_, n) => {
    const client = new GatewayClient({
      baseUrl: `${origin}/m/${n}`,
      merchantCode: merchantOf(n),
      signer,
      dispatcher,
      allowInsecureHttp: true,
      ...options,
    })
    const receiver = new CallbackReceiver({
      client,
      publicUrl: `${publicUrl}/${n}`,
      secrets,
      onPayin: () => onPayin?.(),
      onError: () => undefined,
    })
    const pathOf = (/** @type {string} */ idPayin) => new URL(receiver.urlFor({ idPayin })).pathname
    return { client, receiver, pathOf }
  })
}
