import { expect, test } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { GatewayClient } from '../../src/index.js'
import { paymentJob } from '../../src/jobs/index.js'
import { paymentLog } from '../../src/payment-log/index.js'

test('a create of a queue has a line for each of its moments, so that a kill shows what was under way', async () => {
  await using sandbox = createSandbox()
  await using client = new GatewayClient(sandbox.clientOptions())
  const lines: string[] = []
  const stop = paymentLog({ write: (line) => lines.push(line) })
  const request = {
    idPayout: 'w-1',
    paymentRequested: { money: { amount: 25, currencyCode: 'EUR' } },
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountName: 'A', accountNumber: '1' } },
  }
  await paymentJob(client, 'payout')(request, { starts: 1 })
  stop()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'call:start', name: 'payouts.create', idPayout: 'w-1' },
    { event: 'attempt:start', method: 'POST' },
    { event: 'attempt:end', outcome: 'answered' },
    { event: 'call:end', outcome: 'accepted' },
  ])
})
