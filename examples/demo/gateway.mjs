// @ts-check
import { GatewayClient } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'

/**
 * Where the demo goes, and what it may do there.
 *
 * @typedef {object} Gateway
 * @property {GatewayClient} client
 * @property {string} baseUrl
 * @property {string} description
 * @property {boolean} isLocal whether the gateway is on this machine, where callbacks arrive and no money is
 * @property {boolean} hasAccountPath whether the client knows where customer account data is
 * @property {number} waitMs how long to wait for a final status, in milliseconds
 * @property {() => Promise<void>} close
 */

const accountPath = '/payins/{idPayin}/customer-account'

/**
 * The gateway that the environment names; without one, the sandbox of the package as a server.
 *
 * @param {{ customerAccountPath: string | undefined, waitSecs: number | undefined }} choices
 * @returns {Promise<Gateway>}
 */
export async function openGateway({ customerAccountPath, waitSecs }) {
  const baseUrl = process.env.GATEWAY_BASE_URL?.trim()
  if (baseUrl) return namedGateway(baseUrl, customerAccountPath, waitSecs)
  const sandbox = createSandbox({ payAfterMs: 400, channelName: 'Demo Shop' })
  const server = await sandbox.listen()
  const client = new GatewayClient({ ...sandbox.clientOptions(), customerAccountPath: accountPath })
  return {
    client,
    baseUrl: server.url,
    description: `the sandbox of this package, as a server on ${server.url}`,
    isLocal: true,
    hasAccountPath: true,
    waitMs: 1000 * (waitSecs ?? 10),
    close: async () => {
      await client.close()
      await sandbox.close()
    },
  }
}

/**
 * @param {string} baseUrl @param {string | undefined} givenPath @param {number | undefined} waitSecs
 * @returns {Gateway}
 */
function namedGateway(baseUrl, givenPath, waitSecs) {
  const isLocal = isLoopback(baseUrl)
  const customerAccountPath = givenPath ?? (isLocal ? accountPath : undefined)
  const client = GatewayClient.fromEnv({ customerAccountPath })
  return {
    client,
    baseUrl,
    description: `${baseUrl}, from the environment`,
    isLocal,
    hasAccountPath: customerAccountPath !== undefined,
    waitMs: 1000 * (waitSecs ?? 30),
    close: () => client.close(),
  }
}

/** @param {string} baseUrl */
function isLoopback(baseUrl) {
  return URL.canParse(baseUrl) && /^(?:localhost|\[::1\]|127\.[\d.]+)$/.test(new URL(baseUrl).hostname)
}
