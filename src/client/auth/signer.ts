import type { KeyObject } from 'node:crypto'
import { types } from 'node:util'
import { ConfigurationError } from '../errors.js'

/**
 * Signs the bytes of a token request with SHA256withRSA (RSASSA-PKCS1-v1_5) and resolves to the raw
 * signature: the shape of a KMS, an HSM or Vault. It may be called again for the same request.
 *
 * @example
 * const signer: Signer = {
 *   async sign(bytes) {
 *     const answer = await kms.sign({ KeyId, Message: bytes, SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256' })
 *     return answer.Signature
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
  /**
   * Names the key, for clients with a `tokenStore`: tokens of different keys are kept apart. Any text that is another
   * one for another key, such as the key's ARN; no secret. A `privateKey` is named by a hash of its public half.
   */
  readonly keyId?: string | undefined
  /** What `tokens` is by default with this signer: `policySigner` signs tokens of one payment each. */
  readonly tokens?: 'per-payment' | undefined
}

/** The client's own signer, over a key that it was given. */
export interface PrivateKeySigner extends Signer {
  /** By which tokens of different keys are told apart, where they are shared. */
  readonly privateKey: KeyObject
}

/** What a signer gave that is no signature, for a sentence; undefined where it is one. */
export function notASignature(value: unknown): string | undefined {
  if (typeof value === 'string') return 'a text'
  if (!types.isUint8Array(value) && !types.isAnyArrayBuffer(value))
    return value == null ? 'nothing' : 'no bytes'
  return value.byteLength === 0 ? 'no byte' : undefined
}

/** What a private key may be given as: PEM text (PKCS#1, PKCS#8, encrypted) or a parsed key. */
export type PrivateKeyInput = string | Uint8Array | KeyObject

const leastBits = 2048

/** Loaded by the first key and not by the import: it is a fifth of what importing this package costs. */
export const nodeCrypto = () => process.getBuiltinModule('node:crypto')

/**
 * A signer over a private key. The key is parsed once, and signing runs off the event loop's thread.
 *
 * @throws {ConfigurationError} with the reason when the key can't sign for this gateway.
 */
export function privateKeySigner(input: PrivateKeyInput, passphrase: string | undefined): PrivateKeySigner {
  const key = parsePrivateKey(input, passphrase)
  return {
    privateKey: key,
    sign: (bytes) =>
      new Promise((resolve, reject) => {
        nodeCrypto().sign('RSA-SHA256', bytes, key, (error, signature) => {
          if (error === null) resolve(signature)
          else reject(error)
        })
      }),
  }
}

function parsePrivateKey(input: PrivateKeyInput, passphrase: string | undefined): KeyObject {
  const key = isText(input) ? parsePem(pemText(input), passphrase) : input
  if (key.type !== 'private') throw wrongKey(`is a ${key.type} key; the private one signs`)
  if (key.asymmetricKeyType !== 'rsa') {
    throw wrongKey(`is of type ${key.asymmetricKeyType}; the gateway takes RSA keys (SHA256withRSA)`)
  }
  const bits = key.asymmetricKeyDetails?.modulusLength
  if (bits !== undefined && bits < leastBits) {
    throw wrongKey(`has ${bits} bits; make one of at least ${leastBits}`)
  }
  return key
}

function isText(input: PrivateKeyInput): input is string | Uint8Array {
  return typeof input === 'string' || types.isUint8Array(input)
}

/** The text that a key was given as, where it was given as one. */
export function keyText(input: PrivateKeyInput): readonly string[] {
  return isText(input) ? [pemText(input)] : []
}

/** Environment variables hold line breaks as `\n`, and sometimes the quotes around them. */
function pemText(input: string | Uint8Array): string {
  const text = typeof input === 'string' ? input : Buffer.from(input).toString('utf8')
  return text
    .replace(/\\r\\n|\\n/g, '\n')
    .trim()
    .replace(/^(["'])([\s\S]*)\1$/, '$2')
    .trim()
}

function parsePem(pem: string, passphrase: string | undefined): KeyObject {
  const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(pem)?.[1]
  if (label === undefined) {
    throw wrongKey(
      'is not PEM: it must start with "-----BEGIN PRIVATE KEY-----" or similar (the text of the file, not its path)',
    )
  }
  if (label.endsWith('PUBLIC KEY')) throw wrongKey('is a public key; the private one signs')
  if (label === 'CERTIFICATE') throw wrongKey('is a certificate; the private key that belongs to it signs')
  if (label === 'OPENSSH PRIVATE KEY') {
    throw wrongKey('is in OpenSSH form; convert it with "ssh-keygen -p -m PKCS8 -f FILE"')
  }
  const encrypted = label === 'ENCRYPTED PRIVATE KEY' || /Proc-Type:\s*4,\s*ENCRYPTED/.test(pem)
  if (encrypted && passphrase === undefined) {
    throw wrongKey('is encrypted; give privateKeyPassphrase as well')
  }
  try {
    return nodeCrypto().createPrivateKey(passphrase === undefined ? pem : { key: pem, passphrase })
  } catch {
    // OpenSSL's own error is not kept: it says nothing that a merchant could use.
    if (encrypted) throw wrongKey('could not be decrypted; check privateKeyPassphrase')
    throw wrongKey('is damaged: its PEM could not be parsed (was it cut, or were line breaks lost?)')
  }
}

function wrongKey(why: string): ConfigurationError {
  return new ConfigurationError(`privateKey ${why}.`, { option: 'privateKey' })
}
