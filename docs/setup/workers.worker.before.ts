import { createSandbox } from 'merchant-gateway-sandbox'
const sandbox = createSandbox({ rateLimit: false, deliver: async () => ({ status: 204 }) })
await sandbox.listen()
const { baseUrl, merchantCode, privateKey } = sandbox.clientOptions()
const kept = new Map()
const environment = {
  GATEWAY_BASE_URL: baseUrl,
  GATEWAY_MERCHANT_CODE: merchantCode,
  GATEWAY_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  GATEWAY_LIVE: 'false',
  CALLBACK_SECRET: 'a-secret-of-at-least-32-bytes-for-docs',
  STATUSES: { put: async (/** @type {string} */ id, /** @type {string} */ status) => void kept.set(id, status) },
}
