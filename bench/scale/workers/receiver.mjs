// @ts-check
// A process that receives the callbacks of many merchants over HTTP, with the limit of ten off: MERCHANTS of ORIGIN.
// Asked for paths, it makes them; asked for its CPU, it tells it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { merchantsOf } from '../platform.mjs'
import { cpuMs } from '../support.mjs'

const [origin = '', merchants = ''] = process.argv.slice(2)
let delivered = 0
const all = merchantsOf(origin, Number(merchants), { rateLimit: false, onPayin: () => delivered++ })
const handlers = all.map(({ receiver }) => receiver.node())
const server = createServer((request, response) => {
  const handler = handlers[Number(request.url?.split('/')[1])]
  if (handler === undefined) response.writeHead(404).end()
  else handler(request, response)
})
await once(server.listen(0, '127.0.0.1'), 'listening')

process.on('message', (/** @type {{ paths?: { count: number, name: string } }} */ { paths }) => {
  if (paths === undefined) {
    process.send?.({ delivered, cpuMs: cpuMs() })
    return
  }
  const made = Array.from({ length: paths.count }, (_, n) =>
    all[n % all.length]?.pathOf(`${paths.name}-${Math.floor(n / all.length)}`),
  )
  process.send?.({ paths: made })
})
process.on('disconnect', () => process.exit())
const address = server.address()
if (typeof address === 'object') process.send?.({ receiver: `http://127.0.0.1:${address?.port}` })
