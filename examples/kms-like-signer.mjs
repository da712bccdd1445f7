// @ts-check
// Signs token requests where the private key lives: in a KMS, an HSM or Vault. The client never sees it.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { GatewayClient } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'

const { GATEWAY_BASE_URL, GATEWAY_PRIVATE_KEY, GATEWAY_PRIVATE_KEY_FILE } = process.env
// In place of your KMS, the key that the environment names: "npx merchant-gateway-sandbox" prints what to set.
const pem = GATEWAY_PRIVATE_KEY_FILE
  ? readFileSync(GATEWAY_PRIVATE_KEY_FILE, 'utf8')
  : GATEWAY_PRIVATE_KEY?.replaceAll('\\n', '\n')
const key = pem ? createPrivateKey(pem) : generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** Stands for your KMS: it answers with a signature, after a while, and sometimes with an error. */
const kms = {
  calls: 0,
  /** @param {Uint8Array} message */
  async asymmetricSign(message) {
    this.calls++
    return { signature: await promisify(sign)('RSA-SHA256', message, key) }
  },
}

/** SHA256withRSA over exactly these bytes; the raw signature. @type {import('merchant-gateway').Signer} */
const signer = {
  async sign(bytes) {
    const { signature } = await kms.asymmetricSign(bytes)
    return signature
  },
}

// The platform knows the public half.
const sandbox = GATEWAY_BASE_URL ? undefined : createSandbox({ publicKeys: [createPublicKey(key)] })
const { privateKey: _, ...gateway } = sandbox?.clientOptions() ?? { privateKey: undefined }
const client = GatewayClient.fromEnv({ ...gateway, signer })

try {
  const { channelInfo } = await client.merchantInfo.retrieve()
  await client.balances.list()
  console.log(`Merchant: ${channelInfo?.name}`)
  console.log(`Calls: 2, signatures: ${kms.calls}, since the token is kept`)
} finally {
  await client.close()
  await sandbox?.close()
}
