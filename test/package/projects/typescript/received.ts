import { type GatewayClient, statusOf } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'

/** The entry for callbacks, whose function is typed by the client's payins. */
export const receive = (client: GatewayClient) =>
  new CallbackReceiver({
    client,
    publicUrl: 'https://shop.example/gateway/callbacks',
    secrets: ['a-secret-of-32-bytes-for-this-test'],
    onPayin: (payin, context) => [statusOf(payin), context.idPayin, context.isNew],
  })
