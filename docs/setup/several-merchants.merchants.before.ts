import { createSandbox } from 'merchant-gateway-sandbox'
const deliver = async () => ({ status: 204 })
const north = createSandbox({ merchantCode: 'M-NORTH', payAfterMs: false, deliver })
const south = createSandbox({ merchantCode: 'M-SOUTH', payAfterMs: false, deliver })
/** @param {typeof north} sandbox */
const accountOf = (sandbox, callbackSecret = 'a-secret-of-at-least-32-bytes-for-docs') => {
  const { baseUrl, merchantCode, privateKey, fetch } = sandbox.clientOptions()
  return { baseUrl, merchantCode, privateKey, callbackSecret, ...(fetch && { fetch }) }
}
const accounts = [accountOf(north), accountOf(south, 'another-secret-of-at-least-32-bytes-here')]
