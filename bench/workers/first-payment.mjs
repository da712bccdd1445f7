// @ts-check
// A token and a payin over one new TLS connection, in a fresh process: node bench/workers/first-payment.mjs CONTENDER
// ORIGIN CERTIFICATE. The clock starts when everything that a program imports at its start is there.
import { constants, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { createHeaders, idPayin, path, request } from '../payloads.mjs'

const [contender = '', origin = '', ca = ''] = process.argv.slice(2)
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** As a program of a merchant has it. */
async function prepareClient() {
  const { GatewayClient } = await import('merchant-gateway')
  const { Pool } = await import('undici')
  return async () => {
    const dispatcher = new Pool(origin, { connect: { ca } })
    const client = new GatewayClient({ baseUrl: origin, merchantCode: 'M-0001', privateKey: pem, dispatcher })
    await client.payins.create({ idPayin, ...request })
  }
}

/** The same requests by hand: one is signed, and the other is sent with its token. */
async function prepareUndici() {
  const { Pool } = await import('undici')
  return async () => {
    // One connection: a pool that may make more takes another one for a request that comes so soon after an answer.
    const pool = new Pool(origin, { connect: { ca }, connections: 1 })
    const key = createPrivateKey(pem)
    const order = { merchantCode: 'M-0001', timestamp: Math.floor(Date.now() / 1000), validity: 300 }
    const bytes = Buffer.from(JSON.stringify(order))
    const signature = sign('sha256', bytes, { key, padding: constants.RSA_PKCS1_PADDING }).toString('base64')
    const minted = await pool.request({
      method: 'POST',
      path: '/auth-tokens',
      headers: { ...createHeaders, signature },
      body: bytes,
    })
    await minted.body.text()
    const created = await pool.request({
      method: 'POST',
      path,
      headers: createHeaders,
      body: JSON.stringify(request),
    })
    JSON.parse(await created.body.text())
  }
}

const run = await (contender === 'client' ? prepareClient() : prepareUndici())
const startedAt = performance.now()
await run()
process.send?.({ ms: performance.now() - startedAt })
process.on('disconnect', () => process.exit())
