import { createSandbox } from 'merchant-gateway-sandbox'
const sandbox = createSandbox()
await sandbox.listen()
const { rateLimit, ...account } = sandbox.clientOptions()
// No Redis is needed to run this page: then each client requests its own.
const redis = { call: async () => Promise.reject(new Error('away')) }
