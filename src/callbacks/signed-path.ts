import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PaymentKind } from '../index.js'

/** What the last segment of a callback URL says, once its MAC has proved it. */
export interface CallbackTarget {
  readonly kind: PaymentKind
  readonly id: string
}

interface Key {
  /** Names the key in the URL without telling anything of it. */
  readonly id: string
  readonly secret: Uint8Array
}

const version = '1'
const segmentForm = /^1\.([\w-]{8})\.(payin|payout)\.([\w-]{2,})\.([\w-]{43})$/

/**
 * The keys that sign the last segment of callback URLs, and verify it:
 * `1.KEY-ID.KIND.ID.MAC`, base64url where it is not plain text. The first key signs, all verify.
 */
export class CallbackKeys {
  readonly #keys: readonly [Key, ...Key[]]

  constructor(secrets: readonly [Uint8Array, ...Uint8Array[]]) {
    const [first, ...others] = secrets
    this.#keys = [keyOf(first), ...others.map(keyOf)]
  }

  sign({ kind, id }: CallbackTarget): string {
    const [key] = this.#keys
    const encodedId = Buffer.from(id).toString('base64url')
    return `${version}.${key.id}.${kind}.${encodedId}.${mac(key, kind, encodedId)}`
  }

  /** The payment that a segment was signed for; undefined for everything else. */
  verify(segment: string): CallbackTarget | undefined {
    const [, keyId = '', kind, encodedId = '', given = ''] = segmentForm.exec(segment) ?? []
    if (kind !== 'payin' && kind !== 'payout') return undefined
    // Compared as text: several texts decode to the same bytes, and only one of them was signed.
    const matches = (key: Key) =>
      timingSafeEqual(Buffer.from(mac(key, kind, encodedId)), Buffer.from(given)) && key.id === keyId
    // Every key is tried: two secrets may share an id, and the time must not tell which keys there are.
    const found = this.#keys.map(matches).includes(true)
    return found ? { kind, id: Buffer.from(encodedId, 'base64url').toString() } : undefined
  }
}

function keyOf(secret: Uint8Array): Key {
  const id = createHmac('sha256', secret).update('merchant-gateway callback key id').digest('base64url')
  return { id: id.slice(0, 8), secret }
}

function mac(key: Key, kind: string, encodedId: string): string {
  return createHmac('sha256', key.secret)
    .update(`merchant-gateway callback ${version}.${key.id}.${kind}.${encodedId}`)
    .digest('base64url')
}

/** The last segment of a request's path, as it was sent: nothing is decoded, the query is left out. */
export function lastSegment(requestTarget: string): string {
  const [path = ''] = requestTarget.split(/[?#]/, 1)
  return path.slice(path.lastIndexOf('/') + 1)
}
