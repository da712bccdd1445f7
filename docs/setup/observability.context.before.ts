import { createSandbox } from 'merchant-gateway-sandbox'
import { GatewayClient } from 'merchant-gateway'
const sandbox = createSandbox()
