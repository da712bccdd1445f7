import { GatewayClient, isGatewayError, money, type Payin } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'

/** What a merchant's program uses, compiled as it would be there. */
export async function takePayin(idPayin: string): Promise<Payin | undefined> {
  const sandbox = createSandbox({ payAfterMs: 0 })
  const client = new GatewayClient(sandbox.clientOptions())
  try {
    const payin = await client.payins.create({
      idPayin,
      paymentRequested: { money: money('10.50', 'EUR') },
      paymentMethod: { paymentMethodCode: 'VAPAY' },
      callbackUrl: 'https://shop.example/callbacks',
    })
    return payin.replayed ? payin : await client.payins.waitFor(payin.idPayin, { maxWaitMs: 10_000 })
  } catch (error) {
    if (isGatewayError(error) && error.code === 'wait_timeout') return undefined
    throw error
  } finally {
    await client.close()
    await sandbox.close()
  }
}
