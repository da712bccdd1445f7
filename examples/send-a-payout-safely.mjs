// @ts-check
// Sends payouts so that none can be paid twice: the id is stored first, and every try uses the same id.
// Always in the sandbox, because this sends money, and lets a response get lost on purpose.
import { randomUUID } from 'node:crypto'
import { GatewayClient, isGatewayError, money } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'

const sandbox = createSandbox()
// Impatient, to be quick here; keep the defaults in production.
const client = new GatewayClient({ ...sandbox.clientOptions(), timeoutMs: 1_000, retries: 0 })

/** Your database. @type {Map<string, { amount: string, accountNumber?: string, state: string }>} */
const withdrawals = new Map()

/** @param {string} idPayout */
async function send(idPayout) {
  const withdrawal = withdrawals.get(idPayout)
  if (!withdrawal) throw new Error('Store the withdrawal, and with it the id, before you send it.')
  const { amount, accountNumber } = withdrawal
  const account = { accountName: 'Jana Example', ...(accountNumber && { accountNumber }) }
  try {
    const payout = await client.payouts.create({
      idPayout,
      paymentRequested: { money: money(amount, 'EUR') },
      paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', paymentOperatorCode: 'HARBOUR', account },
    })
    withdrawal.state = payout.replayed ? 'sent by an earlier try' : 'sent'
  } catch (error) {
    if (!isGatewayError(error)) throw error
    switch (error.outcome) {
      case 'not-accepted': // This call sent no money. Find out why, then use the same id.
        withdrawal.state = `not sent (${error.code})`
        break
      case 'unknown': // The money may be on its way. Try again later, with the same id.
        withdrawal.state = `in doubt (${error.code}): try again with the same id`
        break
      case 'accepted': // There is a payout under this id. Never create it under another one.
        withdrawal.state = `exists, look at it (${error.code})`
        break
      default: // The call was wrong, or the client is: no payout was asked for.
        throw error
    }
  }
  console.log(`${amount} EUR: ${withdrawal.state}`)
}

try {
  const accountNumber = '000123-0123456789'
  // 5005 is an amount that the sandbox accepts and does not answer. The last one has no account.
  for (const order of [
    { amount: '25.00', accountNumber },
    { amount: '5005', accountNumber },
    { amount: '7' },
  ]) {
    withdrawals.set(randomUUID(), { ...order, state: 'to be sent' })
  }
  for (const id of withdrawals.keys()) await send(id)
  console.log('Again, with the same ids:')
  for (const id of withdrawals.keys()) await send(id)
  console.log(`Payouts at the gateway: ${sandbox.payouts.size}`)
} finally {
  await client.close()
  await sandbox.close()
}
