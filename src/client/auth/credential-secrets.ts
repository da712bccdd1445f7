import { types } from 'node:util'
import type { Signer } from './signer.js'

/** What of a client's credentials is secret. */
interface CredentialSecrets {
  /** What it sends. */
  readonly secrets: readonly string[]
  /** Its key, in both forms of PEM; made anew each time, so that none is kept. */
  readonly keyTexts: () => readonly string[]
}

/** The texts that nobody should read. Of a key that is elsewhere there is none. */
export function credentialSecrets(
  credentials: { readonly signer: Signer } | { readonly merchantSecret: string },
): CredentialSecrets {
  if ('merchantSecret' in credentials) return { secrets: [credentials.merchantSecret], keyTexts: () => [] }
  const { signer } = credentials
  const key = 'privateKey' in signer ? signer.privateKey : undefined
  if (!types.isKeyObject(key)) return { secrets: [], keyTexts: () => [] }
  const textOf = (type: 'pkcs1' | 'pkcs8') => String(key.export({ type, format: 'pem' }))
  return { secrets: [], keyTexts: () => [textOf('pkcs1'), textOf('pkcs8')] }
}
