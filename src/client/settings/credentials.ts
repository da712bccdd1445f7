import type { KeyObject } from 'node:crypto'
import { promisify, types } from 'node:util'
import { type Credentials, privateKeySigner, type Signer } from '../auth/signer.js'
import { wrongOption } from '../input/check.js'
import { keyText, nodeCrypto, type PrivateKeyInput } from '../input/private-key.js'
import { warnOnce } from '../input/warn-once.js'

interface CredentialOptions {
  readonly privateKey: PrivateKeyInput | undefined
  readonly privateKeyPassphrase: string | undefined
  readonly signer: Signer | undefined
  readonly merchantSecret: string | undefined
}

export function readCredentials(options: CredentialOptions): Credentials {
  const { privateKey, privateKeyPassphrase, signer, merchantSecret } = options
  const [first, second] = Object.entries({ privateKey, signer, merchantSecret })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
  if (second !== undefined) throw wrongOption(second, `and ${first} exclude each other; give one`)
  if (signer !== undefined) return { signer, keySecrets: [] }
  if (privateKey !== undefined) {
    const keySecrets =
      privateKeyPassphrase === undefined ? [] : [privateKeyPassphrase, ...keyText(privateKey)]
    return { signer: privateKeySigner(privateKey, privateKeyPassphrase), keySecrets }
  }
  if (merchantSecret === undefined) {
    throw wrongOption(
      'privateKey',
      'is missing; give privateKey or signer ("npx merchant-gateway keygen" makes a key)',
    )
  }
  warnOnce(
    'merchantSecret is deprecated by the gateway and travels in every token request: use privateKey instead.',
    'DeprecationWarning',
    'MERCHANT_GATEWAY_SECRET',
  )
  return { merchantSecret }
}

/** The texts of the credentials that nobody should read, made anew each time, so that no text of a key is kept. */
export function credentialSecrets(credentials: Credentials): () => readonly string[] {
  if ('merchantSecret' in credentials) return always([credentials.merchantSecret])
  const key = keyOf(credentials)
  return key === undefined ? always(credentials.keySecrets) : withKey(credentials.keySecrets, key)
}

function keyOf(credentials: Credentials): KeyObject | undefined {
  const signer = 'signer' in credentials ? credentials.signer : {}
  const key = 'privateKey' in signer ? signer.privateKey : undefined
  return types.isKeyObject(key) ? key : undefined
}

// Apart, so that neither holds the signer: results hold these functions, and may be kept for long.

function always(texts: readonly string[]): () => readonly string[] {
  return () => texts
}

function withKey(texts: readonly string[], key: KeyObject): () => readonly string[] {
  const textOf = (type: 'pkcs1' | 'pkcs8') => String(key.export({ type, format: 'pem' }))
  return () => [...texts, textOf('pkcs1'), textOf('pkcs8')]
}

/** 32 bytes that only who has the private key can make; undefined where the key is not in this process. */
export function derivedKey(credentials: Credentials, purpose: string): Uint8Array | undefined {
  const secret = keyOf(credentials)?.export({ type: 'pkcs8', format: 'der' })
  if (secret === undefined) return undefined
  return nodeCrypto().createHmac('sha256', secret).update(`merchant-gateway derived key: ${purpose}`).digest()
}

/** The same for the sealed texts of a `tokenCache`; of a secret, by what takes years to guess. */
export async function tokenCacheKey(credentials: Credentials): Promise<Uint8Array> {
  if ('merchantSecret' in credentials) {
    const scrypt = promisify<string, string, number, Buffer>(nodeCrypto().scrypt)
    return scrypt(credentials.merchantSecret, 'merchant-gateway token cache', 32)
  }
  const key = derivedKey(credentials, 'token cache')
  if (key === undefined) throw new TypeError('a token cache needs the signing key')
  return key
}
