import { readFileSync } from 'node:fs'

/** A file of `test/vectors`. */
export function vector(name: string): string {
  return readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8')
}

export interface SignatureVector {
  readonly name: string
  readonly body: {
    readonly merchantCode: string
    readonly validitySecs: number
    readonly timestamp: number
    readonly action?: string
    readonly idPayment?: string
    readonly operations?: readonly string[]
    readonly money?: { readonly amount: number; readonly currencyCode: string }
  }
  readonly minified: string
  readonly signature: string
}

/** What OpenSSL signed with `rsa2048.pkcs8.pem`. */
export const signatureVectors: readonly SignatureVector[] = JSON.parse(vector('signatures.json'))

export const privatePem = vector('rsa2048.pkcs8.pem')
export const publicPem = vector('rsa2048.public.pem')
export const passphrase = 'correct-horse'
