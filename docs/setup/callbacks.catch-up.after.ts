console.log('answered 204')
await client.close()
