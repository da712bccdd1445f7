import { GatewayClient, type ClientOptions } from 'merchant-gateway'
import { Agent } from 'undici'
const readFileSync = (path: string) => path
const options: ClientOptions = { baseUrl: 'https://gateway.example', merchantCode: 'M-0001', signer: { sign: async (bytes) => bytes } }
