const app = await started
const client = app.get(GatewayClient)
const callbacks = app.get(CallbackReceiver)
const server = app.getHttpServer()
if ((await app.get(Checkout).pay('order-0', '10.50')).replayed) throw new Error('order-0 was there')
