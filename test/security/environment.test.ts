import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runNode } from '../examples/support.js'
import { anyToken, handMadeGateway, json } from '../faults/servers.js'
import { root } from '../support/root.js'
import { elsewhere } from './places.js'
import { certificate, tlsGateway } from './tls.js'

const program = `
import { GatewayClient } from 'merchant-gateway'
for (const baseUrl of process.env.ADDRESSES.split(' ')) {
  const signer = { sign: async () => new Uint8Array([1]) }
  const client = new GatewayClient({ baseUrl, merchantCode: 'M-0001', signer, retries: 0 })
  console.log(JSON.stringify(await client.currencies.list()))
  await client.close()
}`

/** Every variable by which tools are led through a proxy, but for the switch that Node and the client follow. */
function proxyVariables(url: string): Record<string, string> {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'npm_config_proxy', 'GLOBAL_AGENT_HTTP_PROXY']
  const set = names.flatMap((name) => [
    [name, url],
    [name.toLowerCase(), url],
  ])
  return { ...Object.fromEntries(set), NODE_USE_ENV_PROXY: '', NO_PROXY: '', no_proxy: '' }
}

test('no proxy of the environment gets a request of the client, unless NODE_USE_ENV_PROXY is set', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-security-'))
  try {
    const own = await certificate()
    const file = join(folder, 'gateway.pem')
    writeFileSync(file, own.cert)
    await using other = await elsewhere()
    await using plain = await handMadeGateway({ lookUp: [json(200, {})] })
    await using secure = await tlsGateway(own)
    const env = {
      ...proxyVariables(other.url),
      NODE_EXTRA_CA_CERTS: file,
      ADDRESSES: `${plain.url} ${secure.url}`,
    }
    const ended = await runNode(['--input-type=module', '-'], { env, input: program })
    expect(ended).toMatchObject({ code: 0, stdout: '{}\n{}\n' })
    expect(plain.requests.map(({ path }) => path)).toEqual(['/auth-tokens', '/currencies'])
    expect(secure.requests).toEqual(['POST /auth-tokens -', `GET /currencies Bearer ${anyToken}`])
    expect(other.connections()).toBe(0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('nor does one of the doctor', async () => {
  await using other = await elsewhere()
  await using gateway = await handMadeGateway({ token: [json(401, {})], lookUp: [json(401, {})] })
  const env = {
    ...proxyVariables(other.url),
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_MERCHANT_CODE: 'M-0001',
    GATEWAY_MERCHANT_SECRET: 'canary-secret',
  }
  const { code } = await runNode([join(root, 'packages/cli/dist/bin.js'), 'doctor'], { env })
  expect(code).toBe(1)
  expect(gateway.requests.map(({ path }) => path)).toContain('/auth-tokens')
  expect(other.connections()).toBe(0)
})
