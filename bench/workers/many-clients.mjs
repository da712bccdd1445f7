// @ts-check
// Heap, time and connections of many clients that share one pool: node --expose-gc bench/workers/many-clients.mjs
// ORIGIN CLIENTS
import { GatewayClient } from 'merchant-gateway'
import { Pool } from 'undici'
import { idPayin, request } from '../payloads.mjs'

const [origin = '', clients = ''] = process.argv.slice(2)
let connections = 0
const dispatcher = new Pool(origin)
dispatcher.on('connect', () => connections++)
const signer = { sign: async () => new Uint8Array(256) }
const codes = Array.from({ length: Number(clients) }, (_, n) => `M-${String(n).padStart(5, '0')}`)
const make = (/** @type {string} */ merchantCode) =>
  new GatewayClient({ baseUrl: origin, merchantCode, signer, dispatcher, allowInsecureHttp: true })

const heapUsed = () => {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

// Code that has run, and a call that has loaded what is loaded later.
for (let n = 0; n < 200; n++) make('M-warm')
await make('M-warm').payins.create({ idPayin, ...request })
/** @type {GatewayClient[]} */
const held = new Array(codes.length)
const before = heapUsed()
const startedAt = performance.now()
for (const [n, code] of codes.entries()) held[n] = make(code)
const ms = (performance.now() - startedAt) / held.length
const bytes = (heapUsed() - before) / held.length
for (const client of held.slice(0, 100)) await client.payins.create({ idPayin, ...request })

process.once('disconnect', () => process.exit())
process.send?.({ bytes, ms, connections })
