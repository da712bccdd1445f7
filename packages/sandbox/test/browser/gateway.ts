import { once } from 'node:events'
import { createServer } from 'node:http'
import { GatewayClient, money } from '../../../../src/index.js'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.js'

/** A sandbox with its page, a client of it, and a merchant who takes callbacks. */
export interface Gateway {
  readonly sandbox: Sandbox
  readonly client: GatewayClient
  /** Where the page is. */
  readonly url: string
  readonly port: number
  /** What the merchant answers callbacks with; every one is counted. */
  readonly merchant: { status: number; body: string; received: number }
  readonly callbackUrl: string
  payin(id: string, amount?: string): Promise<void>
  payout(id: string, amount?: string): Promise<void>
  close(): Promise<void>
}

export async function openGateway(options: SandboxOptions = {}): Promise<Gateway> {
  const merchant = { status: 204, body: '', received: 0 }
  const receiver = createServer((request, response) => {
    request.resume()
    merchant.received += 1
    response.writeHead(merchant.status).end(merchant.body)
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const address = receiver.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const callbackUrl = `http://127.0.0.1:${address.port}/callbacks`

  const sandbox = createSandbox({ rateLimit: false, payAfterMs: false, ...options })
  const server = await sandbox.listen({ page: true })
  const client = new GatewayClient({ ...sandbox.clientOptions(), rateLimit: false, retries: 0 })
  const asked = (amount: string, paymentMethodCode: string) => ({
    paymentRequested: { money: money(amount, 'EUR') },
    paymentMethod: {
      paymentMethodCode,
      paymentOperatorCode: 'HARBOUR',
      account: { accountName: 'Jana Example', accountNumber: '000123-0123456789' },
    },
    callbackUrl,
  })
  return {
    sandbox,
    client,
    url: `${server.url}/_sandbox/`,
    port: server.port,
    merchant,
    callbackUrl,
    async payin(idPayin, amount = '12.50') {
      await client.payins.create({ idPayin, ...asked(amount, 'VAPAY') })
    },
    async payout(idPayout, amount = '25.00') {
      await client.payouts.create({ idPayout, ...asked(amount, 'BANK_TRANSFER') })
    },
    async close() {
      await client.close()
      await sandbox.close()
      receiver.closeAllConnections()
      await new Promise((resolve) => receiver.close(resolve))
    },
  }
}
