import { GatewayClient, money } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { serve } from './serve.js'

const logged = []
const write = (line) => logged.push(line)
const client = GatewayClient.fromEnv({ logger: { debug: write, info: write, warn: write, error: write } })
let tellCalled = () => {}
const called = new Promise((resolve) => {
  tellCalled = resolve
})
let drain = () => Promise.resolve()

const close = await serve((url) => {
  const callbacks = new CallbackReceiver({
    client,
    publicUrl: `${url}/gateway/callbacks`,
    onPayin: (payin, { idPayin }) => {
      if (payin.process?.status === 'SUCCESS') tellCalled(idPayin)
    },
  })
  drain = () => callbacks.drain()
  return callbacks
})

const { idPayin } = await client.payins.create({
  paymentRequested: { money: money('10.50', 'EUR') },
  paymentMethod: { paymentMethodCode: 'VAPAY' },
})
console.log(`created ${idPayin}`)
const paid = await client.payins.waitFor(idPayin, { maxWaitMs: 30_000 })
console.log(`paid ${idPayin} ${paid.process?.status}`)
console.log(`called ${await called}`)
await drain()
await close()
await client.close()
console.log(`logged ${logged.some((line) => line.includes('payins.create succeeded'))}`)
