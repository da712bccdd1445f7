// @ts-check
// A process dies after it has asked for a payout and before it knows the response. Its successor asks again
// with the same id. Always in the sandbox, which loses the first response on purpose.
import { randomUUID } from 'node:crypto'
import { GatewayClient, isGatewayError, money } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'

const sandbox = createSandbox()

/** Your database: what outlives the process. @type {Set<string>} */
const unfinished = new Set()

/** @param {GatewayClient} client @param {string} idPayout */
function create(client, idPayout) {
  return client.payouts.create({
    idPayout,
    paymentRequested: { money: money('25.00', 'EUR') },
    paymentMethod: {
      paymentMethodCode: 'BANK_TRANSFER',
      paymentOperatorCode: 'HARBOUR',
      account: { accountName: 'Jana Example', accountNumber: '000123-0123456789' },
    },
  })
}

async function firstProcess() {
  sandbox.fault({ route: 'POST /payouts/{idPayout}', action: { kind: 'drop-after' } })
  const client = new GatewayClient({ ...sandbox.clientOptions(), retries: 0 })
  const idPayout = randomUUID()
  unfinished.add(idPayout) // Before the call. This one line is what makes the rest possible.
  try {
    await create(client, idPayout)
    unfinished.delete(idPayout)
  } catch (error) {
    if (!isGatewayError(error)) throw error
    console.log(`First process: the response got lost, outcome ${error.outcome}. It dies here.`)
  } finally {
    await client.close()
  }
}

async function secondProcess() {
  const client = new GatewayClient(sandbox.clientOptions())
  for (const idPayout of unfinished) {
    const payout = await create(client, idPayout)
    console.log(`Second process: same id, ${payout.replayed ? 'found the payout' : 'made the payout'}.`)
    unfinished.delete(idPayout)
  }
  await client.close()
}

await firstProcess()
await secondProcess()
console.log(`Payouts at the gateway: ${sandbox.payouts.size}`)
await sandbox.close()
