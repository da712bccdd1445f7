// @ts-check
// Adds payouts in a process of its own, and says how long that took and how much memory the process held at most.
import { paymentQueue } from '../../../dist/bullmq/index.js'
import { payouts } from './payouts.mjs'

const [given = '{}'] = process.argv.slice(2)
/** @type {{ options: import('../../../dist/bullmq/index.js').QueueStoreOptions, account: string, key: string, count: number }} */
const { options, account, key, count } = JSON.parse(given)
const client = { account, deriveKey: () => Buffer.from(key, 'hex') }
const queue = await paymentQueue(client, 'payout', { ...options })
const began = performance.now()
const added = await queue.addAll(payouts(count))
const ms = Math.round(performance.now() - began)
await queue.close()
process.send?.({ added, ms, mostMB: Math.round(process.resourceUsage().maxRSS / 1_024) })
