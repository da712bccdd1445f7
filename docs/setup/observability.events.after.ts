await client.merchantInfo.retrieve()
await client.close()
await sandbox.close()
stop()
