import { nodeCrypto } from './signer.js'
import type { TokenIdentity } from './token-store-keys.js'

/** 32 bytes that only who has the private key can make; undefined where the key is not in this process. */
export function derivedKey(
  credentials: TokenIdentity['credentials'],
  purpose: string,
): Uint8Array | undefined {
  const { createHmac, KeyObject } = nodeCrypto()
  const key = 'signer' in credentials && 'privateKey' in credentials.signer && credentials.signer.privateKey
  if (!(key instanceof KeyObject)) return undefined
  const secret = key.export({ type: 'pkcs8', format: 'der' })
  return createHmac('sha256', secret).update(`merchant-gateway derived key: ${purpose}`).digest()
}
