// @ts-check
// Heap for each of many calls that wait for a permit. node --expose-gc bench/workers/waiting-heap.mjs ORIGIN CALL CALLS
import { GatewayClient } from 'merchant-gateway'
import { request, idPayin as warmUpId } from '../payloads.mjs'

const [origin = '', call = '', calls = ''] = process.argv.slice(2)
const count = Number(calls)
// What a caller holds is not the client's: made before the first look at the heap.
const requests = Array.from({ length: count }, () => ({ idPayin: crypto.randomUUID(), ...request }))
let granting = true

const client = new GatewayClient({
  baseUrl: origin,
  merchantCode: 'M-0001',
  signer: { sign: async () => new Uint8Array(256) },
  rateLimit: { acquire: () => (granting ? undefined : new Promise(() => undefined)) },
  maxQueued: 200_000,
})
/** @param {typeof requests[number]} one @returns {Promise<unknown>} */
const start = (one) => (call === 'create' ? client.payins.create(one) : client.payins.retrieve(one.idPayin))

const heapUsed = () => {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

// A token that is cached, and code that has run.
for (let n = 0; n < 50; n++) await start({ idPayin: warmUpId, ...request })
granting = false
/** @type {Promise<unknown>[]} */
const held = Array.from({ length: count }, () => Promise.resolve())
const before = heapUsed()
for (const [n, one] of requests.entries()) held[n] = start(one)
await new Promise(setImmediate)
const bytes = (heapUsed() - before) / held.length

process.once('disconnect', () => process.exit())
process.send?.({ bytes })
