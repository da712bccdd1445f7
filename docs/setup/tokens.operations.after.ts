void header
await client.close()
