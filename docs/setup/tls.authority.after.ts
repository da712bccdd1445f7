await client.close()
await dispatcher.close()
