for (const { client } of merchants.values()) await client.close()
await north.close()
await south.close()
