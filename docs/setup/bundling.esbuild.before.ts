import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
const server = join(import.meta.dirname, 'server.js')
const bundle = join(import.meta.dirname, 'bundle.mjs')
writeFileSync(server, `
import { GatewayClient } from 'merchant-gateway'
const client = GatewayClient.fromEnv()
console.log((await client.merchantInfo.retrieve()).channelInfo.name)
await client.close()`)
