await client.close()
