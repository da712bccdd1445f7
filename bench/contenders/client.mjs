// @ts-check
import { GatewayClient } from 'merchant-gateway'
import { idPayin, request } from '../payloads.mjs'

/** The client as a merchant has it, but for the limiter. @param {string} origin */
export function open(origin) {
  const client = new GatewayClient({
    baseUrl: origin,
    merchantCode: 'M-0001',
    signer: { sign: async () => new Uint8Array(256) },
    rateLimit: false,
  })
  return {
    create: () => client.payins.create({ idPayin, ...request }),
    retrieve: () => client.payins.retrieve(idPayin),
  }
}
