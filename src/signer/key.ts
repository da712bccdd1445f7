import { KeyObject } from 'node:crypto'
import { parsePrivateKey, signWith } from '../client/input/private-key.js'
import { ConfigurationError, type Signer } from '../index.js'

/** A private key, or a signer that has it elsewhere. */
export type SignerKey = string | KeyObject | Signer

/** @throws {ConfigurationError} unless it is a private RSA key of 2048 bits or more, or a signer. */
export function signerOver(key: SignerKey): Signer {
  if (typeof key === 'object' && !(key instanceof KeyObject)) return key
  const parsed = parsePrivateKey(key, undefined, wrongKey)
  return { sign: (bytes) => signWith(parsed, bytes) }
}

function wrongKey(why: string): ConfigurationError {
  return new ConfigurationError(`key ${why}; nothing is signed.`, { option: 'key' })
}
