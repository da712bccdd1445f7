import { GatewayClient } from 'merchant-gateway'
const client = GatewayClient.fromEnv()
