import { expect, test } from 'vitest'
import { closedAddress } from '../support/listening.js'
import { runNode } from './support.js'

test('npm run demo loses a response, kills a process and calls back twice, and 4 orders are 4 payments', async () => {
  // Whatever gateway the environment names, the demo sends nothing there.
  const env = {
    GATEWAY_BASE_URL: await closedAddress(),
    GATEWAY_MERCHANT_CODE: 'M-0001',
    GATEWAY_LIVE: 'true',
  }
  const { code, stdout, stderr } = await runNode(['examples/demo.mjs'], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout.trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(25)
  expect(lines.filter((line) => line !== '').slice(1)).toEqual([
    'Order 1: a customer pays.',
    '  The payin is created. The customer pays.',
    '  Callbacks: 1. Shipments: 1.',
    'Order 2: the response to a payout is lost, and the process is killed.',
    '  First process: the gateway has the payout, the response is lost (SIGKILL).',
    '  Second process, same id: the payout is found, since it exists already.',
    '  Payouts at the gateway: 1.',
    'Order 3: the callback comes twice.',
    '  The payin is created. The customer pays.',
    '  Callbacks: 2. Shipments: 1.',
    'Order 4: two processes send the same payout at the same moment.',
    '  In one process it is created, and in the other found, since it exists already.',
    '4 orders, 4 payments',
  ])
})
