import type { Sandbox } from '../../packages/sandbox/src/index.js'

/** The environment of a merchant whose gateway is this sandbox, which has to listen. */
export function environmentOf(sandbox: Sandbox): Record<string, string> {
  const { baseUrl, merchantCode, privateKey } = sandbox.clientOptions()
  return {
    GATEWAY_BASE_URL: baseUrl,
    GATEWAY_MERCHANT_CODE: merchantCode,
    GATEWAY_LIVE: 'false',
    GATEWAY_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
}
