// @ts-check
// A worker in a process of its own, at the gateway that the environment names.
import { checkWorker, paymentProcessor, workerOptions } from '../../../dist/bullmq/index.js'
import { GatewayClient } from '../../../dist/index.js'
import { openWorker } from './store.mjs'

const [given = '{}'] = process.argv.slice(2)
const { place, rateLimit, locks, polls } = JSON.parse(given)
const client = GatewayClient.fromEnv({ rateLimit, timeoutMs: 2_000, retries: 0 })
const worker = openWorker(place, paymentProcessor(client, 'payout', polls), { ...workerOptions, ...locks })
worker.on('error', () => undefined)
checkWorker(worker)
process.send?.('working')
