import type { KeyObject } from 'node:crypto'
import { types } from 'node:util'
import { ConfigurationError } from '../errors.js'
import { type PrivateKeyInput, parsePrivateKey, signWith } from '../input/private-key.js'

/**
 * Signs the bytes of a token request with SHA256withRSA (RSASSA-PKCS1-v1_5) and resolves to the raw
 * signature: the shape of a KMS, an HSM or Vault. It may be called again for the same request.
 *
 * @example
 * const signer: Signer = {
 *   async sign(bytes) {
 *     const signed = await kms.sign({ KeyId, Message: bytes, SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256' })
 *     return signed.Signature
 *   },
 * }
 */
export interface Signer {
  /**
   * Signs once.
   *
   * @param bytes what is to be signed: the whole body of a token request.
   * @returns the raw signature, not base64.
   */
  sign(bytes: Uint8Array): Promise<Uint8Array>
  /** What `tokens` is by default with this signer: `policySigner` signs tokens of one payment each. */
  readonly tokens?: 'per-payment' | undefined
}

export interface PrivateKeySigner extends Signer {
  readonly privateKey: KeyObject
}

/** By what token requests are known to be the merchant's (specification, section 5). */
export type Credentials =
  | {
      readonly signer: Signer
      /** What was given with the key and nobody should read: its passphrase, and the key as it was encrypted. */
      readonly keySecrets: readonly string[]
    }
  | { readonly merchantSecret: string }

export function notASignature(value: unknown): string | undefined {
  if (typeof value === 'string') return 'a text'
  if (!types.isUint8Array(value) && !types.isAnyArrayBuffer(value))
    return value == null ? 'nothing' : 'no bytes'
  return value.byteLength === 0 ? 'no byte' : undefined
}

export function privateKeySigner(input: PrivateKeyInput, passphrase: string | undefined): PrivateKeySigner {
  const key = parsePrivateKey(input, passphrase, wrongKey)
  return {
    privateKey: key,
    sign: (bytes) => signWith(key, bytes),
  }
}

function wrongKey(why: string): ConfigurationError {
  return new ConfigurationError(`privateKey ${why}.`, { option: 'privateKey' })
}
