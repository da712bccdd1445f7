import { GatewayClient, type ClientOptions } from 'merchant-gateway'
import { ProxyAgent } from 'undici'
const options: ClientOptions = { baseUrl: 'https://gateway.example', merchantCode: 'M-0001', signer: { sign: async (bytes) => bytes } }
