void work
await client.close()
