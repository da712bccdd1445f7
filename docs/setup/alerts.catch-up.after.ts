stop()
await callbacks.drain()
await client.close()
await sandbox.close()
