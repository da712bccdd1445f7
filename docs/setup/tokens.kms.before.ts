import { sign } from 'node:crypto'
import { GatewayClient } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'
const sandbox = createSandbox()
const { privateKey, ...gateway } = sandbox.clientOptions()
/** Answers as a KMS does. */
const kms = {
  async sign({ Message }: { KeyId: string; Message: Uint8Array; SigningAlgorithm: string }) {
    return { Signature: sign('RSA-SHA256', Message, privateKey) }
  },
}
