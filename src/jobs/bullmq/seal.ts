import { Sealer } from '../../client/auth/seal.js'
import { fitting } from '../../client/input/kinds.js'
import { isObject, jsonOf } from '../../client/input/values.js'
import { ConfigurationError, type PaymentKind } from '../../index.js'
import type { PaymentJobState, PaymentToSend } from '../types.js'
import { jobIdOf } from './settings.js'
import type { EncryptionKey, PaymentAccount, PaymentData } from './types.js'

export interface Content<K extends PaymentKind> {
  /** Absent where the queue holds ids only, and once the payment is done. */
  readonly request?: PaymentToSend<K>
  readonly state?: PaymentJobState
  /** To `onChange`. */
  readonly reported?: { readonly status?: string; readonly final: boolean }
}

export type Opened<K extends PaymentKind> =
  | { readonly id: string; readonly content: Content<K>; readonly why?: undefined }
  /** Why it is not this job's. */
  | { readonly why: string }

const purpose = 'payment queue'

/** Deriving a key takes longer than sealing with it. */
const derivedKeys = new WeakMap<PaymentAccount, Uint8Array>()

function derivedKeyOf(client: PaymentAccount): Uint8Array | undefined {
  const known = derivedKeys.get(client)
  if (known !== undefined) return known
  const key = client.deriveKey(purpose)
  if (key !== undefined) derivedKeys.set(client, key)
  return key
}

/** Seals what is stored of payments of one kind of one merchant at one gateway, each for its id. */
export class PaymentSeal<K extends PaymentKind> {
  readonly #account: string
  readonly #kind: K
  readonly #sealer: Sealer

  /** @throws without a key ({@link ConfigurationError}). */
  constructor(client: PaymentAccount, kind: K, own: readonly EncryptionKey[] = []) {
    const derived = derivedKeyOf(client)
    const keys = [...own.map(bytesOf), derived].filter((key) => key !== undefined)
    if (keys.length === 0) {
      throw new ConfigurationError(
        'encryptionKeys is missing: the signing key is not in this process, so no key can be derived from it; give paymentData and paymentProcessor the same keys of 32 random bytes ("openssl rand -base64 32" makes one).',
        { option: 'encryptionKeys' },
      )
    }
    this.#account = client.account
    this.#kind = kind
    this.#sealer = new Sealer(keys)
  }

  seal(id: string, content: Content<K>): PaymentData<K> {
    return { kind: this.#kind, id, sealed: this.#sealer.seal(JSON.stringify(content), this.#place(id)) }
  }

  /** What a job's data holds, when that was sealed for this very job. */
  open(jobId: string | undefined, data: unknown): Opened<K> {
    if (!isObject(data) || typeof data.id !== 'string' || typeof data.sealed !== 'string') {
      return { why: 'its data is not of paymentData' }
    }
    const { kind, id, sealed } = data
    if (kind !== this.#kind) return { why: `its data is not of a ${this.#kind}` }
    if (jobId !== jobIdOf(id))
      return { why: "its jobId is not its payment's: add it with jobOptions(payment)" }
    const content = jsonOf(this.#sealer.open(sealed, this.#place(id)) ?? '')
    if (isContent<K>(content)) return { id, content }
    return {
      why: 'its data was encrypted by another merchant, for another gateway or with another key, or was changed since',
    }
  }

  #place(id: string): string {
    return JSON.stringify([this.#account, this.#kind, id])
  }
}

/** The seal shows that it is as it was written. */
function isContent<K extends PaymentKind>(content: unknown): content is Content<K> {
  return isObject(content)
}

const keyBytes = 32

/** The option `encryptionKeys`. */
export const encryptionKeys = fitting<readonly EncryptionKey[]>(
  'a list of keys of 32 random bytes each, in base64, hex or as bytes, the one that encrypts first; "openssl rand -base64 32" makes one',
  (value) => Array.isArray(value) && value.length > 0 && value.every((key) => bytesOf(key) !== undefined),
)

/** Copied, so that nobody changes them. */
function bytesOf(key: unknown): Uint8Array | undefined {
  const copy = key instanceof Uint8Array ? Uint8Array.from(key) : undefined
  const bytes = typeof key === 'string' ? decode(key.trim()) : copy
  // Of 32 random bytes about thirty differ: a key that somebody typed is none.
  return bytes?.length === keyBytes && new Set(bytes).size > keyBytes / 4 ? bytes : undefined
}

function decode(text: string): Uint8Array {
  return /^[0-9a-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : Buffer.from(/^[\w+/-]{43}=?$/.test(text) ? text : '', 'base64')
}
