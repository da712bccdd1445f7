import { createSandbox } from 'merchant-gateway-sandbox'
import { GatewayClient } from 'merchant-gateway'
const sandbox = createSandbox()
const client = new GatewayClient(sandbox.clientOptions())
