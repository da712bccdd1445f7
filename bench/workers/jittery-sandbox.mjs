// @ts-check
// The sandbox as a server in a process of its own, behind a network that delays each request by 0 to `jitterMs`:
// node bench/workers/jittery-sandbox.mjs JSON, where JSON has `jitterMs` and what `createSandbox` takes. Asked for it,
// it says how many requests it answered how.
import { createServer } from 'node:http'
import { createSandbox } from 'merchant-gateway-sandbox'

const { jitterMs = 0, ...options } = JSON.parse(process.argv[2] ?? '{}')
const sandbox = createSandbox({ maxLogged: 100_000, ...options })
let [accepted, refused] = [0, 0]

const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  if (jitterMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * jitterMs))
  const { method = 'GET', url = '/', headers } = request
  const body = method === 'GET' ? undefined : Buffer.concat(chunks)
  const init = { method, headers: /** @type {Record<string, string>} */ (headers), ...(body && { body }) }
  const answer = await sandbox.fetch(new Request(`http://${headers.host}${url}`, init))
  if (answer.status === 429) refused++
  else accepted++
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const { merchantCode, privateKey: key } = sandbox.clientOptions()
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' })
  if (typeof address === 'object')
    process.send?.({ origin: `http://127.0.0.1:${address?.port}`, merchantCode, privateKey })
})

process.on('message', () => process.send?.({ accepted, refused }))
process.on('disconnect', () => process.exit())
