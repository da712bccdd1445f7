import type { KeyObject } from 'node:crypto'
import { types } from 'node:util'
import type { Signer } from './signer.js'

/**
 * The texts of a client's credentials that nobody should read: its secret, its key in both forms of PEM, and what the
 * key was given with. Of a key that is elsewhere there is none.
 *
 * @returns makes them anew each time, so that no text of the key is kept.
 */
export function credentialSecrets(
  credentials:
    | { readonly signer: Signer; readonly keySecrets: readonly string[] }
    | { readonly merchantSecret: string },
): () => readonly string[] {
  if ('merchantSecret' in credentials) return always([credentials.merchantSecret])
  const { signer, keySecrets } = credentials
  const key = 'privateKey' in signer ? signer.privateKey : undefined
  return types.isKeyObject(key) ? withKey(keySecrets, key) : always(keySecrets)
}

// Apart, so that neither holds the signer: results hold these functions, and may be kept for long.

function always(texts: readonly string[]): () => readonly string[] {
  return () => texts
}

function withKey(texts: readonly string[], key: KeyObject): () => readonly string[] {
  const textOf = (type: 'pkcs1' | 'pkcs8') => String(key.export({ type, format: 'pem' }))
  return () => [...texts, textOf('pkcs1'), textOf('pkcs8')]
}
