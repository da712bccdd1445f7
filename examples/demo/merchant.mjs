// @ts-check
// The merchant of npm run demo. It does what it is sent, a message for each payment, and says what came of it. After a
// kill the next process makes the same call with the same id.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { GatewayClient, isPaid, money } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'

const paymentRequested = { money: money('10.50', 'EUR') }
const account = { accountName: 'Jana Example', accountNumber: '000123-0123456789' }
/** Once for each payin that is paid. @type {string[]} */
const shipments = []

const server = createServer()
await once(server.listen(0, '127.0.0.1'), 'listening')
const address = server.address()
const port = typeof address === 'object' && address !== null ? address.port : 0
const client = GatewayClient.fromEnv()
const callbacks = new CallbackReceiver({
  client,
  publicUrl: `http://127.0.0.1:${port}/callbacks`,
  onPayin(payin, { idPayin, isNew }) {
    if (isNew && isPaid(payin)) shipments.push(idPayin)
  },
  onPayout() {}, // nothing follows from it here
})
server.on('request', callbacks.node())

/** @type {Readonly<Record<string, (id: string) => Promise<string | number>>>} */
const actions = {
  async payin(id) {
    const paymentMethod = { paymentMethodCode: 'VAPAY' }
    return inWords(await client.payins.create({ idPayin: id, paymentRequested, paymentMethod }))
  },
  async payout(id) {
    const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER', account }
    return inWords(await client.payouts.create({ idPayout: id, paymentRequested, paymentMethod }))
  },
  shipments: async (id) => shipments.filter((one) => one === id).length,
}

/** @param {{ replayed: boolean }} payment */
function inWords({ replayed }) {
  return replayed ? 'found, since it exists already' : 'created'
}

process.on('message', async (/** @type {{ what: string, id: string }} */ { what, id }) => {
  process.send?.(await actions[what]?.(id))
})
process.once('disconnect', () => process.exit())
