// @ts-check
// One client in a process of its own, with somebody or nobody who watches it: makes a block of creates
// whenever it is asked to. node bench/workers/observing.mjs WATCHER ORIGIN ENTRY
import { channel } from 'node:diagnostics_channel'
import { createWriteStream } from 'node:fs'
import { devNull } from 'node:os'
import { idPayin, request } from '../payloads.mjs'

const [watcher = '', origin = '', entry = ''] = process.argv.slice(2)
const { GatewayClient } = await import(entry)

const ignore = () => {}
/** @param {(line: string) => void} write */
const logger = (write) => ({ debug: write, info: write, warn: write, error: write })

/** @returns {object} the client's options */
function watch() {
  if (watcher === 'listeners') {
    for (const name of ['call:start', 'call:end', 'attempt:start', 'attempt:end', 'token', 'budget']) {
      channel(`merchant-gateway:${name}`).subscribe(ignore)
    }
  }
  if (watcher === 'drops') return { logger: logger(ignore) }
  if (watcher !== 'writes') return {}
  const file = createWriteStream(devNull)
  return { logger: logger((line) => file.write(`${line}\n`)) }
}

const client = new GatewayClient({
  baseUrl: origin,
  merchantCode: 'M-0001',
  signer: { sign: async () => new Uint8Array(256) },
  rateLimit: false,
  ...watch(),
})

/** @param {{ times: number, inFlight: number }} block */
async function run({ times, inFlight }) {
  let left = times
  const lane = async () => {
    while (left-- > 0) await client.payins.create({ idPayin, ...request })
  }
  const cpu = process.cpuUsage()
  await Promise.all(Array.from({ length: inFlight }, lane))
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / times
}

process.on('message', async (/** @type {Parameters<typeof run>[0]} */ block) => {
  process.send?.(await run(block))
})
process.on('disconnect', () => process.exit())
