import { createHash, createPublicKey, KeyObject, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Scope } from './scopes.js'
import type { Signer, TokenCredential } from './signer.js'

/** What a token is good for, beside its scope. Clients that agree in all of it may share tokens. */
export interface TokenIdentity {
  readonly origin: string
  readonly basePath: string
  readonly merchantCode: string
  readonly credentials: TokenCredential
  /** In seconds: whoever asks for short lives means it. */
  readonly tokenValiditySecs: number
}

/** The name that a shared token is kept under: the merchant and the scope to be read, and a hash over all that matters. */
export async function tokenStoreKeys(identity: TokenIdentity): Promise<(scope: Scope) => string> {
  const { origin, basePath, merchantCode, tokenValiditySecs } = identity
  const merchant = encodeURIComponent(merchantCode).slice(0, 64)
  const of = [origin + basePath, merchantCode, await credentialId(identity), tokenValiditySecs]
  return ({ key, label }) => {
    const hash = createHash('sha256')
      .update(JSON.stringify([...of, key]))
      .digest('base64url')
    return `${merchant}:${label}:${hash}`
  }
}

/** Tells credentials apart. Of a secret, what would take years to guess by. */
async function credentialId({ credentials, merchantCode }: TokenIdentity): Promise<string> {
  if ('signer' in credentials) return keyIdOf(credentials.signer)
  const salt = `merchant-gateway token store ${merchantCode}`
  const stretched = await promisify<string, string, number, Buffer>(scrypt)(
    credentials.merchantSecret,
    salt,
    16,
  )
  return `secret ${stretched.toString('base64url')}`
}

/** A key is named by a hash of its public half, one that is elsewhere by whoever brought its signer. */
function keyIdOf(signer: Signer): string {
  const key = 'privateKey' in signer ? signer.privateKey : undefined
  if (!(key instanceof KeyObject)) {
    if (signer.keyId === undefined) throw new TypeError('a key without a name')
    return `signer ${signer.keyId}`
  }
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return `key ${createHash('sha256').update(spki).digest('base64url')}`
}
