// @ts-check
// Gives a web page a token that can read one payin and do nothing else.
import { randomUUID } from 'node:crypto'
import { GatewayClient, money } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'

const sandbox = process.env.GATEWAY_BASE_URL ? undefined : createSandbox()
const baseUrl = sandbox ? (await sandbox.listen()).url : process.env.GATEWAY_BASE_URL
const client = sandbox ? new GatewayClient(sandbox.clientOptions()) : GatewayClient.fromEnv()

/** What the page does with it: no library, no secret. @param {string} path @param {string} token */
async function askFromThePage(path, token) {
  const headers = { accept: 'application/json', 'x-api-version': '2', authorization: `Bearer ${token}` }
  const response = await fetch(`${baseUrl}${path}`, { headers })
  return response.status
}

try {
  const idPayin = randomUUID()
  await client.payins.create({
    idPayin,
    paymentRequested: { money: money('10.50', 'EUR') },
    paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
  })
  // On the server. Its type keeps a server token from being sent to a page by mistake.
  const token = await client.authTokens.shareable({ idPayin, validitySecs: 900 })
  const { claims } = client.authTokens.decode(token)
  console.log(`The token allows ${claims.action}.`)

  console.log(`Its payin: ${await askFromThePage(`/payins/${idPayin}`, token)}`)
  console.log(`Another payin: ${await askFromThePage('/payins/another', token)}`)
  console.log(`The balances: ${await askFromThePage('/balances', token)}`)
} finally {
  await client.close()
  await sandbox?.close()
}
