import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { CommandFailed } from './exit-codes.js'

/**
 * SHA-256 of a public key's DER form, as hex: what
 * `openssl pkey -pubin -in public-key.pem -outform DER | openssl dgst -sha256` prints.
 */
export function fingerprintOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/** @throws {CommandFailed} unless it is a public RSA key: a private one has no business here. */
export function publicKeyOf(pem: string, file: string): KeyObject {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
    throw new CommandFailed(
      `${file} holds a private key; give the public one, and hand the private one to nobody.`,
    )
  }
  try {
    const key = createPublicKey(pem)
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    // OpenSSL's own words help nobody.
  }
  throw new CommandFailed(`${file} holds no public RSA key in PEM form.`)
}
