import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Row } from '../client/input/reader.js'
import { is } from '../client/input/reader.js'

/** Of AES-256. */
const keyBytes = 32

/** A key for AES-256: 32 random bytes, as they are or as text in base64 or hex. */
export type EncryptionKey = string | Uint8Array

/** The option `encryptionKeys`. */
export const encryptionKeysRow: Row<readonly EncryptionKey[] | undefined> = is(
  'a list of keys of 32 random bytes each, in base64, hex or as bytes, the one that encrypts first; "openssl rand -base64 32" makes one',
  (value) => Array.isArray(value) && value.length > 0 && value.every((key) => bytesOf(key) !== undefined),
)

/** The bytes of keys that the row has let in; copied, so that nobody changes them. */
export function encryptionKeys(keys: readonly EncryptionKey[]): readonly Uint8Array[] {
  return keys.map(bytesOf).filter((key) => key !== undefined)
}

function bytesOf(key: unknown): Uint8Array | undefined {
  const bytes =
    typeof key === 'string'
      ? decode(key.trim())
      : key instanceof Uint8Array
        ? Uint8Array.from(key)
        : undefined
  // Of 32 random bytes about thirty differ: a key that somebody typed is none.
  return bytes?.length === keyBytes && new Set(bytes).size > keyBytes / 4 ? bytes : undefined
}

function decode(text: string): Uint8Array {
  return /^[0-9a-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : Buffer.from(/^[\w+/-]{43}=?$/.test(text) ? text : '', 'base64')
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const sealedForm = /^1\.([\w-]{8})\.([\w-]{38,})$/

interface Key {
  /** Names the key in what it has sealed, without telling anything of it. */
  readonly id: string
  readonly secret: Uint8Array
}

/**
 * Seals texts so that only who has a key can read them, and nobody can change them or put them elsewhere:
 * `1.KEY-ID.CONTENT`, the content in base64url. The first key seals, all open, so that keys can rotate.
 */
export class Sealer {
  readonly #keys: readonly Key[]

  constructor(secrets: readonly Uint8Array[]) {
    this.#keys = secrets.map(keyOf)
  }

  /** @param place where it is kept: sealed for one place, it can't be opened in another. */
  seal(text: string, place: string): string {
    const [key] = this.#keys
    if (key === undefined) throw new TypeError('no key')
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, key.secret, nonce, { authTagLength: tagBytes })
    cipher.setAAD(Buffer.from(place))
    const content = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `1.${key.id}.${content.toString('base64url')}`
  }

  /** What was sealed for this place by one of the keys; undefined for everything else. */
  open(sealed: string, place: string): string | undefined {
    const [, id, encoded = ''] = sealedForm.exec(sealed) ?? []
    const content = Buffer.from(encoded, 'base64url')
    for (const { secret } of this.#keys.filter((key) => key.id === id)) {
      try {
        const decipher = createDecipheriv(algorithm, secret, content.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
        decipher.setAAD(Buffer.from(place))
        decipher.setAuthTag(content.subarray(-tagBytes))
        const text = decipher.update(content.subarray(nonceBytes, -tagBytes))
        return Buffer.concat([text, decipher.final()]).toString()
      } catch {
        // Not of this key, or not as it was.
      }
    }
    return undefined
  }
}

function keyOf(secret: Uint8Array): Key {
  const id = createHmac('sha256', secret).update('merchant-gateway token key id').digest('base64url')
  return { id: id.slice(0, 8), secret }
}
