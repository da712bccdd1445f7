// What it costs that a connection isn't used again after a refusal: the time of a create, one after another,
// when the gateway accepts and when it refuses. `npm run build && node bench/refused.mjs`
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { generate } from 'selfsigned'
import { Pool } from 'undici'
import { GatewayClient } from '../dist/index.js'

const rounds = 9
const creates = 200

async function measure(name, server, scheme, ca) {
  let connections = 0
  let status = 200
  server.on(scheme === 'https' ? 'secureConnection' : 'connection', () => connections++)
  server.on('request', (request, response) => {
    request.resume()
    request.on('end', () => {
      const isToken = request.url === '/auth-tokens'
      const body = isToken
        ? { token: 'a.b.c' }
        : {
            paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
            paymentMethodResponse: { idPayout: request.url.split('/').pop() },
          }
      const code = isToken ? 200 : status
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `${scheme}://127.0.0.1:${server.address().port}`
  const dispatcher = ca && new Pool(baseUrl, { connect: { ca } })
  const client = new GatewayClient({
    baseUrl,
    merchantCode: 'M-0001',
    signer: { sign: async () => new Uint8Array([1]) },
    rateLimit: false,
    dispatcher,
  })
  const request = {
    paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER' },
  }
  const run = async (answer) => {
    status = answer
    const before = connections
    const startedAt = performance.now()
    for (let n = 0; n < creates; n++) await client.payouts.create(request).catch(() => undefined)
    return { ms: (performance.now() - startedAt) / creates, opened: (connections - before) / creates }
  }
  await run(200)
  await run(400)
  const taken = { 200: [], 400: [] }
  for (let round = 0; round < rounds; round++)
    for (const answer of [200, 400]) taken[answer].push(await run(answer))
  for (const answer of [200, 400]) {
    const sorted = taken[answer].map(({ ms }) => ms).sort((a, b) => a - b)
    const opened = taken[answer].at(-1).opened
    console.log(
      `${name}, ${answer}: ${sorted[rounds >> 1].toFixed(2)} ms a create, ${opened} connections each`,
    )
  }
  await client.close()
  await dispatcher?.close()
  server.closeAllConnections()
  server.close()
}

await measure('plain', createHttpServer(), 'http')
const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
  keyType: 'ec',
  algorithm: 'sha256',
  extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
})
await measure('TLS', createHttpsServer({ cert, key }), 'https', cert)
