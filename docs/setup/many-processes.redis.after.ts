await client.merchantInfo.retrieve()
await client.close()
await connection.del(`merchant-gateway:ledger:{${client.account}}`)
connection.disconnect()
