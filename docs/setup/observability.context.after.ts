const options = sandbox.clientOptions()
const client = new GatewayClient({
  ...options,
  fetch: (input, init) => {
    console.log(storage.getStore()?.call.name)
    return sandbox.fetch(input, init)
  },
})
await client.merchantInfo.retrieve()
await client.close()
await sandbox.close()
