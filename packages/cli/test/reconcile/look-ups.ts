import type { GatewayClient } from 'merchant-gateway'
import type { ReconcileClient } from 'merchant-gateway-cli'

/** A client that calls a function after each payment that it has found, and waits for it. */
export function withLookUps(
  { payins, payouts, balances }: GatewayClient,
  onLookedUp: (id: string) => unknown,
): ReconcileClient {
  const followed = async <T>(id: string, found: Promise<T>): Promise<T> => {
    const payment = await found
    await onLookedUp(id)
    return payment
  }
  return {
    balances,
    payins: { retrieve: (id, options) => followed(id, payins.retrieve(id, options)) },
    payouts: { retrieve: (id, options) => followed(id, payouts.retrieve(id, options)) },
  }
}
