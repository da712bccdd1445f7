await client.merchantInfo.retrieve()
await client.close()
await connection.query('DROP SCHEMA gateway_guide CASCADE')
await connection.end()
