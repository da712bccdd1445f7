import { type ClientOptions, GatewayClient, isGatewayError } from 'merchant-gateway'

import callbacks = require('merchant-gateway/callbacks')

import { createSandbox, type Sandbox } from 'merchant-gateway-sandbox'

/** A CommonJS file in a project of ES modules gets the types of `require`. */
export function clientOf(sandbox: Sandbox = createSandbox()): GatewayClient {
  const options: ClientOptions = sandbox.clientOptions()
  return new GatewayClient(options)
}

export const publicUrlIsWrong = (error: unknown) =>
  isGatewayError(error) && error.code === 'configuration' && callbacks.CallbackReceiver !== undefined
