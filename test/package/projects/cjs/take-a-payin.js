const { createServer } = require('node:http')
const { GatewayClient, money } = require('merchant-gateway')
const { CallbackReceiver } = require('merchant-gateway/callbacks')

const logged = []
const write = (line) => logged.push(line)
const client = GatewayClient.fromEnv({ logger: { debug: write, info: write, warn: write, error: write } })
const server = createServer()

server.listen(0, '127.0.0.1', async () => {
  let tellCalled = () => {}
  const called = new Promise((resolve) => {
    tellCalled = resolve
  })
  const callbacks = new CallbackReceiver({
    client,
    publicUrl: `http://127.0.0.1:${server.address().port}/gateway/callbacks`,
    onPayin: (payin, { idPayin }) => {
      if (payin.process?.status === 'SUCCESS') tellCalled(idPayin)
    },
  })
  server.on('request', callbacks.node())

  const { idPayin } = await client.payins.create({
    paymentRequested: { money: money('10.50', 'EUR') },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
  })
  console.log(`created ${idPayin}`)
  const paid = await client.payins.waitFor(idPayin, { maxWaitMs: 30_000 })
  console.log(`paid ${idPayin} ${paid.process?.status}`)
  console.log(`called ${await called}`)
  await callbacks.drain()
  server.close()
  await client.close()
  console.log(`logged ${logged.some((line) => line.includes('payins.create succeeded'))}`)
})
