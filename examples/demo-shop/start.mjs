// @ts-check
// npm run demo:shop: the shop, and a sandbox with its page to look at from the other side.
// SHOP_PORT and SANDBOX_PORT choose other ports; 0 takes free ones.
import { GatewayClient } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway/sandbox'
import { openShop } from './server.mjs'

const { SHOP_PORT = '4100', SANDBOX_PORT = '4101' } = process.env
const quarterHourMs = 15 * 60_000
const transferMs = 2500

const sandbox = createSandbox({
  settleAfterMs: false,
  expireAfterMs: quarterHourMs,
  channelName: 'Harbour Tea',
})
const gateway = await sandbox.listen({ port: Number(SANDBOX_PORT), page: true })
const client = new GatewayClient(sandbox.clientOptions())

/** The customer's bank, which pays when told to, and takes a moment for a transfer. An amount of 4001 bounces. */
const bank = {
  /** @param {string} idPayin */
  pay(idPayin) {
    sandbox.payins.get(idPayin).settle('SUCCESS')
  },
  /** @param {string} idPayout */
  transfer(idPayout) {
    const payout = sandbox.payouts.get(idPayout)
    const outcome = payout.money.amount === 4001 ? 'FAILED' : 'SUCCESS'
    // Whoever settles it on the sandbox's page meanwhile was faster.
    setTimeout(() => payout.processedAt === undefined && payout.settle(outcome), transferMs).unref()
  },
}

const gatewayPage = `${gateway.url}/_sandbox/`
const shop = await openShop({ client, bank, port: Number(SHOP_PORT), gatewayPage })
console.log(`The shop:            ${shop.url}/`)
console.log(`The gateway's side:  ${gatewayPage}`)
console.log('Ctrl-C ends both.')

let isClosing = false
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    if (isClosing) return
    isClosing = true
    await shop.close()
    await client.close()
    await sandbox.close()
  })
}
