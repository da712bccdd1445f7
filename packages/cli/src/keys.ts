import { createHash, type KeyObject } from 'node:crypto'

/**
 * SHA-256 of a public key's DER form, as hex: what
 * `openssl pkey -pubin -in public-key.pem -outform DER | openssl dgst -sha256` prints.
 */
export function fingerprintOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}
