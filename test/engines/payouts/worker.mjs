// @ts-check
// A worker of its own process: the client by the environment, the queue by the first argument.
import { paymentWorker } from '../../../dist/bullmq/index.js'
import { GatewayClient } from '../../../dist/index.js'

const [given = '{}'] = process.argv.slice(2)
/** @type {{ options: import('../../../dist/bullmq/index.js').PaymentWorkerOptions<'payout'>, rateLimit: number }} */
const { options, rateLimit } = JSON.parse(given)
const client = GatewayClient.fromEnv({ rateLimit, timeoutMs: 2_000, retries: 1 })
await paymentWorker(client, 'payout', { ...options, onError: () => undefined })
process.send?.('working')
