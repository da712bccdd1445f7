import type { KeyObject } from 'node:crypto'
import { types } from 'node:util'

/** What a private key may be given as: PEM text (PKCS#1, PKCS#8, encrypted) or a parsed key. */
export type PrivateKeyInput = string | Uint8Array | KeyObject

const leastBits = 2048

/** Loaded by the first key and not by the import: it is a fifth of what importing this package costs. */
export const nodeCrypto = () => process.getBuiltinModule('node:crypto')

/** Makes the error about a key: `why` goes on behind what it was given as. */
type WrongKey = (why: string) => Error

/**
 * A private key, parsed.
 *
 * @throws what `wrongKey` makes when it can't sign for this gateway.
 */
export function parsePrivateKey(
  input: PrivateKeyInput,
  passphrase: string | undefined,
  wrongKey: WrongKey,
): KeyObject {
  const key = isText(input) ? parsePem(pemText(input), passphrase, wrongKey) : input
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

function parsePem(pem: string, passphrase: string | undefined, wrongKey: WrongKey): KeyObject {
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
    throw wrongKey(
      'is encrypted; give privateKeyPassphrase (GATEWAY_PRIVATE_KEY_PASSPHRASE) as well, or a KeyObject',
    )
  }
  try {
    return nodeCrypto().createPrivateKey(passphrase === undefined ? pem : { key: pem, passphrase })
  } catch {
    // OpenSSL's own error is not kept: it says nothing that a merchant could use.
    if (encrypted)
      throw wrongKey('could not be decrypted; check privateKeyPassphrase (GATEWAY_PRIVATE_KEY_PASSPHRASE)')
    throw wrongKey('is damaged: its PEM could not be parsed (was it cut, or were line breaks lost?)')
  }
}

/** Signs with SHA256withRSA, off the event loop's thread. */
export function signWith(key: KeyObject, bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    nodeCrypto().sign('RSA-SHA256', bytes, key, (error, signature) => {
      if (error === null) resolve(signature)
      else reject(error)
    })
  })
}
