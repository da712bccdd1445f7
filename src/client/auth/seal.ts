import { nodeCrypto } from '../input/private-key.js'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const sealedForm = /^1\.([\w-]{8})\.([\w-]{38,})$/

interface Key {
  readonly id: string
  readonly secret: Uint8Array
}

/** Seals texts with the first key, and opens those of all: `1.KEY-ID.CONTENT`, the content in base64url. */
export class Sealer {
  readonly #keys: readonly Key[]

  constructor(secrets: readonly Uint8Array[]) {
    this.#keys = secrets.map(keyOf)
  }

  /** @param place where it is kept: sealed for one place, it can't be opened in another. */
  seal(text: string, place: string): string {
    const [key] = this.#keys
    if (key === undefined) throw new TypeError('no key')
    const { createCipheriv, randomBytes } = nodeCrypto()
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, key.secret, nonce, { authTagLength: tagBytes })
    cipher.setAAD(Buffer.from(place))
    const content = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `1.${key.id}.${content.toString('base64url')}`
  }

  open(sealed: string, place: string): string | undefined {
    const [, id, encoded = ''] = sealedForm.exec(sealed) ?? []
    const content = Buffer.from(encoded, 'base64url')
    const { createDecipheriv } = nodeCrypto()
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
  const id = nodeCrypto()
    .createHmac('sha256', secret)
    .update('merchant-gateway token key id')
    .digest('base64url')
  return { id: id.slice(0, 8), secret }
}
