import { GatewayClient, isGatewayError } from '../../../src/index.js'
import { over } from '../../support/client-options.js'
import { stages } from '../stages.js'
import { anySigner, create } from '../support.js'

// One payout in a process of its own, with the limits of a default client. It closes nothing and exits
// nowhere: when the call has ended, nothing may be left to wait for.
const [, , url = '', name = '', end = ''] = process.argv
const stage = stages.find((one) => one.name === name)
const base = { baseUrl: url, merchantCode: 'M-0001', signer: anySigner }
const client = new GatewayClient(over(base, stage?.options?.(() => {}, url) ?? {}))
const run = stage?.run ?? ((of, options) => create(of, 'payout', {}, options))
const limits = end === 'limit' ? stage?.limit : end === 'signal' ? { signal: AbortSignal.timeout(150) } : {}
run(client, limits ?? {}).then(
  () => console.log('resolved'),
  (error: unknown) => console.log(isGatewayError(error) ? error.name : error),
)
