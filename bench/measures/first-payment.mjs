// @ts-check
import { createServer } from 'node:https'
import { generate } from 'selfsigned'
import { answers } from '../payloads.mjs'
import { answerOf } from '../support/processes.mjs'
import { interleaved, ratios, summary } from '../support/stats.mjs'

/** A fresh process's first payment over TLS, a token and a create, without the import. @param {{ quick: boolean }} options */
export async function measureFirstPayment({ quick }) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })
  const server = createServer({ cert, key, keepAliveTimeout: 60_000 }, (incoming, response) => {
    incoming.resume()
    incoming.on('end', () => {
      const body = incoming.url === '/auth-tokens' ? answers.token : answers.created
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const origin = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const contenders = ['client', 'undici-request']
  /** @type {Record<string, number[]>} */
  const ms = Object.fromEntries(contenders.map((name) => [name, []]))
  await interleaved(quick ? 4 : 31, contenders, async (name, round) => {
    const answer = await answerOf('workers/first-payment.mjs', { args: [name, origin, cert] })
    if (round > 0) ms[name]?.push(answer.ms)
  })
  server.closeAllConnections()
  server.close()
  const [ours = [], theirs = []] = contenders.map((name) => ms[name])
  return [
    {
      what: 'first payment over TLS: client / two undici requests',
      atMost: 1.3,
      ...summary(ratios(ours, theirs)),
    },
    { what: 'first payment over TLS: client', unit: ' ms', ...summary(ours) },
  ]
}
