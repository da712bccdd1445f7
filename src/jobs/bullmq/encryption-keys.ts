import type { Row } from '../../client/input/reader.js'
import { is } from '../../client/input/reader.js'

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
