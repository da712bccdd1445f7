await client.merchantInfo.retrieve()
await client.close()
