// @ts-check
// Takes a payin: asks what the customer can pay with, creates the payin, and waits until it is paid.
import { randomUUID } from 'node:crypto'
import { GatewayClient, money, statusOf } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'

// The gateway that the environment names, or one of our own where payments are paid at once.
const sandbox = process.env.GATEWAY_BASE_URL ? undefined : createSandbox({ payAfterMs: 0 })
const client = sandbox ? new GatewayClient(sandbox.clientOptions()) : GatewayClient.fromEnv()

try {
  const price = money('10.50', 'EUR')
  const { data } = await client.payins.paymentOptions(price)
  const [method] = data
  const [operator] = method?.paymentOperators ?? []
  if (!method || !operator) throw new Error('The gateway offers nothing to pay this amount with.')

  // Your order's id. Store it first: the same id never makes a second payin.
  const idPayin = randomUUID()
  const payin = await client.payins.create({
    idPayin,
    paymentRequested: { money: price },
    paymentMethod: {
      paymentMethodCode: method.paymentMethodCode,
      paymentOperatorCode: operator.code,
      account: { accountName: 'Jana Example', accountNumber: '000123-0123456789' },
      emailAddress: 'jana@example.com',
    },
    returnUrl: 'https://shop.example/thanks',
  })
  console.log(`Please pay ${price.amount} ${price.currencyCode} at ${operator.name}.`)
  console.log(`Reference: ${payin.paymentMethodResponse?.reference}`)

  const paid = await client.payins.waitFor(idPayin, { maxWaitMs: 60_000 })
  console.log(`Status: ${statusOf(paid)}`)
} finally {
  await client.close()
  await sandbox?.close()
}
