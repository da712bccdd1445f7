import { GatewayClient, isGatewayError } from '../../../src/index.js'
import { stages } from '../stages.js'
import { anySigner, create } from '../support.js'

// One payout in a process of its own, with the limits of a default client. It closes nothing and exits
// nowhere: when the call has ended, nothing may be left to wait for.
const [, , url = '', name = '', end = ''] = process.argv
const stage = stages.find((one) => one.name === name)
const client = new GatewayClient({
  baseUrl: url,
  merchantCode: 'M-0001',
  signer: anySigner,
  ...stage?.options?.(() => {}, url),
})
const run = stage?.run ?? ((of, options) => create(of, 'payout', {}, options))
const limits = end === 'limit' ? stage?.limit : end === 'signal' ? { signal: AbortSignal.timeout(150) } : {}
run(client, limits ?? {}).then(
  () => console.log('resolved'),
  (error: unknown) => console.log(isGatewayError(error) ? error.name : error),
)
