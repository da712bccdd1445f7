await client.close()
await sandbox.close()
