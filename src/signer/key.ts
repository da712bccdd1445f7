import { createPrivateKey, KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { ConfigurationError, type Signer } from '../index.js'

/** A private key, or a signer that has it elsewhere. */
export type SignerKey = string | KeyObject | Signer

const signWith = promisify(sign)

/** @throws {ConfigurationError} unless it is a private RSA key of 2048 bits or more, or a signer. */
export function signerOver(key: SignerKey): Signer {
  if (typeof key === 'object' && !(key instanceof KeyObject)) return key
  const parsed = typeof key === 'string' ? parse(key) : key
  const { modulusLength = 0 } = parsed.asymmetricKeyDetails ?? {}
  if (parsed.type !== 'private' || parsed.asymmetricKeyType !== 'rsa' || modulusLength < 2048)
    throw wrongKey()
  return { sign: (bytes) => signWith('RSA-SHA256', bytes, parsed) }
}

function parse(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    // What OpenSSL says helps nobody, and may repeat what was given.
    throw wrongKey()
  }
}

function wrongKey(): ConfigurationError {
  return new ConfigurationError(
    'key must be a private RSA key of 2048 bits or more, in PEM; nothing is signed.',
    {
      option: 'key',
    },
  )
}
